variable "prod" { type = bool }
variable "alias" {}
resource "aws_sqs_queue" "q" {
  name                       = "q"
  visibility_timeout_seconds = 60
}
resource "aws_lambda_function" "f" {
  function_name = "f"
  timeout       = 30
}
resource "aws_sqs_queue" "agree" { visibility_timeout_seconds = var.prod ? 90 : 90 }
resource "aws_sqs_queue" "differ" { visibility_timeout_seconds = var.prod ? 90 : 30 }
resource "aws_sqs_queue" "maybe" { count = var.prod ? 1 : 0 }
resource "aws_lambda_event_source_mapping" "m" {
  event_source_arn = aws_sqs_queue.maybe[0].arn
  function_name    = var.prod ? aws_lambda_function.f.arn : aws_lambda_function.f.arn
}
