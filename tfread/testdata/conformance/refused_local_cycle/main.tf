locals {
  a = local.b
  b = local.a
}
resource "aws_sqs_queue" "q" { visibility_timeout_seconds = local.a }
