resource "aws_sqs_queue" "q" {
  name                       = "q"
  visibility_timeout_seconds = 60
}
resource "aws_lambda_function" "f" {
  function_name = "f"
  timeout       = 30
}
resource "aws_lambda_event_source_mapping" "m" {
  event_source_arn = aws_sqs_queue.nowhere.arn
  function_name    = aws_lambda_function.f.arn
}
resource "aws_sqs_queue" "v" { visibility_timeout_seconds = var.nowhere }
resource "aws_sqs_queue" "l" { visibility_timeout_seconds = local.nowhere }
resource "aws_sqs_queue" "f" { visibility_timeout_seconds = nofunc(1) }
resource "aws_sqs_queue" "m" { visibility_timeout_seconds = module.nowhere.x }
