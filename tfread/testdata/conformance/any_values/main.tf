variable "queues" {
  type    = any
  default = [{ name = "a", timeout = 5 }, { name = "b" }]
}
resource "aws_sqs_queue" "q" {
  for_each                   = { for q in var.queues : q.name => q }
  name                       = each.value.name
  visibility_timeout_seconds = lookup(each.value, "timeout", null)
  delay_seconds              = try(each.value.delay, 3)
}
