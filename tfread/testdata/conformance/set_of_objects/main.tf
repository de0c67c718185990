variable "maps" {
  type    = set(object({ queue = string, batch = number }))
  default = [{ queue = "b", batch = 2 }, { queue = "a", batch = 1 }]
}
locals { by = { for m in var.maps : m.queue => m.batch } }
output "by" { value = local.by }
output "n" { value = length(var.maps) }
output "list" { value = [for m in var.maps : m.queue] }
