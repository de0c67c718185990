variable "a" {
  type    = list(any)
  default = [1, "2", true]
}
variable "s" {
  type    = set(string)
  default = ["b", "a", "b"]
}
variable "m" {
  type    = map(map(number))
  default = { x = { y = "3" } }
}
output "a" { value = var.a }
output "s" { value = var.s }
output "m" { value = var.m.x.y * 2 }
output "first" { value = tolist(var.s)[0] }
