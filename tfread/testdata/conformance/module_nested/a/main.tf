variable "conf" { type = object({ t = number, names = list(string) }) }
module "b" {
  source   = "./b"
  for_each = toset(var.conf.names)
  name     = each.key
  t        = var.conf.t
}
output "deep" { value = module.b["x"].t }
output "all" { value = { for k, m in module.b : k => m.name } }
