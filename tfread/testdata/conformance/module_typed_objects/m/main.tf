variable "queue" { type = object({ arn = string, visibility_timeout_seconds = number, missing = optional(string, "d") }) }
variable "list" { type = list(number) }
output "t" { value = "${var.queue.visibility_timeout_seconds}${var.queue.missing}" }
output "l" { value = sum(var.list) }
