resource "aws_sqs_queue" "q" {
  name                       = "jobs"
  visibility_timeout_seconds = 6 * aws_lambda_function.f.timeout
  policy                     = jsonencode({ arn = aws_lambda_event_source_mapping.m.arn })
}
resource "aws_lambda_function" "f" {
  function_name = "f"
  timeout       = 60
}
resource "aws_lambda_event_source_mapping" "m" {
  event_source_arn = aws_sqs_queue.q.arn
  function_name    = aws_lambda_function.f.arn
}
