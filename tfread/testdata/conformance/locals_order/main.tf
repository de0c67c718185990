output "z" { value = local.z }
locals {
  z = local.y * 2
  x = 5
}
locals { y = local.x + 1 }
