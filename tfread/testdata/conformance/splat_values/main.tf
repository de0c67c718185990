variable "nul" { default = null }
variable "one" { default = { t = 5 } }
variable "set" {
  type    = set(object({ t = number }))
  default = [{ t = 2 }, { t = 1 }]
}
output "nul" { value = var.nul[*] }
output "one" { value = var.one[*].t }
output "set" { value = sort([for x in var.set[*].t : tostring(x)]) }
output "str" { value = "a"[*] }
output "empty" { value = [][*] }
