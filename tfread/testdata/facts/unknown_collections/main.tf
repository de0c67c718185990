variable "queues" { type = map(object({ name = string, timeout = optional(number, 30) })) }
variable "names" { type = list(string) }
variable "untyped" {}
resource "aws_sqs_queue" "q" {
  for_each                   = var.queues
  name                       = "x-${each.value.name}"
  visibility_timeout_seconds = 45
}
resource "aws_lambda_function" "f" {
  for_each      = var.queues
  function_name = "x-${each.key}"
  timeout       = 30
}
resource "aws_lambda_event_source_mapping" "m" {
  for_each         = var.queues
  event_source_arn = aws_sqs_queue.q[each.key].arn
  function_name    = aws_lambda_function.f[each.key].arn
}
resource "aws_sqs_queue" "n" {
  for_each                   = toset(var.names)
  name                       = each.value
  visibility_timeout_seconds = length(var.names) * 10
}
resource "aws_sqs_queue" "u" {
  for_each                   = { for k, v in var.untyped : k => v }
  name                       = each.key
  visibility_timeout_seconds = each.value.timeout
}
resource "aws_sqs_queue" "one" { visibility_timeout_seconds = var.queues["orders"].timeout }
resource "aws_sqs_queue" "dflt" { visibility_timeout_seconds = lookup(var.untyped, "t", 30) }
