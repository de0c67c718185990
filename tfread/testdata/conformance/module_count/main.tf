variable "on" { default = true }
module "a" {
  source = "./m"
  count  = var.on ? 2 : 0
  t      = 10 + count.index
}
module "b" {
  source = "./m"
  count  = var.on ? 0 : 1
}
output "a" { value = module.a[*].t }
output "b" { value = length(module.b) }
output "first" { value = try(module.b[0].t, module.a[1].t) }
