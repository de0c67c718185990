variable "queues" { type = map(object({ timeout = number, dlq = optional(bool, true) })) }
resource "aws_sqs_queue" "q" {
  for_each                   = var.queues
  name                       = each.key
  visibility_timeout_seconds = each.value.timeout
}
resource "aws_sqs_queue" "dlq" {
  for_each = { for k, v in var.queues : k => v if v.dlq }
  name     = "${each.key}-dlq"
}
