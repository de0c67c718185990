output "h" { value = 1 }
