resource "aws_sqs_queue" "q" { name = "same" }
resource "aws_lambda_function" "f" {
  function_name = "same-worker"
  timeout = 9
}
resource "aws_lambda_event_source_mapping" "m" {
  event_source_arn = "arn:aws:sqs:eu-west-1:123456789012:same"
  function_name    = "same-worker"
}
