resource "aws_sqs_queue" "q" {
  name                       = "q"
  visibility_timeout_seconds = 60
}
resource "aws_lambda_function" "f" {
  function_name = "f"
  timeout       = 30
}
locals {
  stripped = trimprefix(aws_sqs_queue.q.arn, "arn:aws:")
  hash     = md5(aws_sqs_queue.q.arn)
}
resource "aws_sqs_queue" "shifted" { visibility_timeout_seconds = split(":", local.stripped)[2] == "sqs" ? 11 : 12 }
resource "aws_sqs_queue" "other" { name = "x-${local.hash}" }
resource "aws_sqs_queue" "quoted" { redrive_policy = replace(jsonencode({ deadLetterTargetArn = aws_sqs_queue.q.arn, maxReceiveCount = "5" }), "/\"([0-9]+)\"/", "$1") }
resource "aws_lambda_event_source_mapping" "latest" {
  event_source_arn = aws_sqs_queue.q.arn
  function_name    = replace(aws_lambda_function.f.qualified_arn, ":$LATEST", "")
}
resource "aws_lambda_event_source_mapping" "hashed" {
  event_source_arn = "arn:aws:sqs:eu-west-1:1:x-${local.hash}"
  function_name    = "f"
}
