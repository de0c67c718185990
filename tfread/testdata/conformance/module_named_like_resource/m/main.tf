output "q" { value = 44 }
