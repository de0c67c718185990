output "path" { value = path.module }
output "text" { value = trimspace(file("${path.module}/t.txt")) }
