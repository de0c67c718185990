variable "env" { default = "prod" }
variable "name" { default = null }
locals {
  prefix = join("-", compact(["app", var.env, ""]))
  name   = coalesce(var.name, "jobs")
}
resource "aws_sqs_queue" "q" { name = lower(format("%s-%s", local.prefix, title(local.name))) }
resource "aws_lambda_event_source_mapping" "m" {
  event_source_arn = "arn:aws:sqs:eu-west-1:123456789012:${aws_sqs_queue.q.name}"
  function_name    = "${local.prefix}-worker"
}
