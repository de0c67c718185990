variable "n" { type = number }
variable "s" { type = string }
variable "b" { type = bool }
variable "l" { type = list(number) }
variable "m" { type = map(string) }
variable "o" { type = object({ t = number, tags = optional(list(string), ["x"]) }) }
variable "any" { type = any }
variable "tup" { type = tuple([string, number]) }
output "n" { value = var.n + 1 }
output "s" { value = var.s }
output "b" { value = var.b ? "on" : "off" }
output "l" { value = sum(var.l) }
output "m" { value = var.m["a"] }
output "o" { value = "${var.o.t}-${var.o.tags[0]}" }
output "any" { value = var.any.deep[1] }
output "tup" { value = var.tup[1] * 2 }
