resource "aws_sqs_queue" "q" {
  name                       = "q"
  visibility_timeout_seconds = 60
}
resource "aws_lambda_function" "f" {
  function_name = "f"
  timeout       = 30
}
resource "aws_lambda_event_source_mapping" "m" {
  event_source_arn = "arn:aws:sqs:eu-west-1:123456789012:q"
  function_name    = "arn:aws:lambda:eu-west-1:123456789012:function:f:live"
}
resource "aws_lambda_event_source_mapping" "partial" {
  event_source_arn = "arn:aws:sqs:eu-west-1:123456789012:q"
  function_name    = "123456789012:function:f"
}
