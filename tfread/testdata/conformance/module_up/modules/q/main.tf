variable "t" {}
output "t" { value = var.t * 6 }
