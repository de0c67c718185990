locals {
  env  = "prod"
  conf = { dev = { t = 10 }, prod = { t = 20, list = [1, 2, 3] } }
}
output "a" { value = local.conf[local.env].t }
output "b" { value = local.conf[local.env]["list"][length(local.conf.prod.list) - 1] }
output "c" { value = local.conf["${local.env}"].list.0 }
output "d" { value = [for k in sort(keys(local.conf)) : local.conf[k].t] }
output "e" { value = { for k, v in local.conf : k => try(v.list[0], "none") } }
