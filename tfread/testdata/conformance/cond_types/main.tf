variable "t" { default = true }
variable "f" { default = "false" }
output "num_str" { value = var.t ? 1 : "a" }
output "list" { value = var.t ? [1, 2] : [] }
output "obj" { value = var.t ? { a = 1 } : null }
output "strbool" { value = var.f ? 1 : 2 }
output "nested" { value = var.t ? (var.f ? 1 : 2) : 3 }
output "map" { value = var.t ? { a = 1, b = 2 } : {} }
output "and" { value = var.t && !var.f || false }
output "cmp" { value = "10" > 9 ? "more" : "less" }
output "eqnull" { value = var.t == null ? 1 : 2 }
