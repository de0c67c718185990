output "a" { value = "tf" }
output "b" { value = local.b }
