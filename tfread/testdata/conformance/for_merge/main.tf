variable "defaults" { default = { timeout = 30, batch = 10 } }
variable "queues" { default = { a = { timeout = 60 }, b = {} } }
locals { q = { for k, v in var.queues : k => merge(var.defaults, v) } }
resource "aws_sqs_queue" "q" {
  for_each                   = local.q
  name                       = each.key
  visibility_timeout_seconds = each.value.timeout
  delay_seconds              = each.value["batch"]
}
