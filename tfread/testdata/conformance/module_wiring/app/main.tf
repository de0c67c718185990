variable "names" { type = list(string) }

module "q" {
  source   = "../queue"
  for_each = toset(var.names)
  name     = each.key
}

module "w" {
  source   = "../worker"
  for_each = module.q
  queue    = each.value.arn
  name     = each.key
}

module "counted" {
  source = "../worker"
  count  = 2
  queue  = module.q[var.names[count.index]].arn
  name   = "counted-${count.index}"
}

output "first" { value = module.q["a"].arn }
