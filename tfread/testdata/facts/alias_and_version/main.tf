resource "aws_sqs_queue" "q" {
  name                       = "q"
  visibility_timeout_seconds = 60
}
resource "aws_lambda_function" "f" {
  function_name = "f"
  timeout       = 30
  publish       = true
}
resource "aws_lambda_alias" "live" {
  name             = "live"
  function_name    = aws_lambda_function.f.arn
  function_version = aws_lambda_function.f.version
}
resource "aws_lambda_event_source_mapping" "alias" {
  event_source_arn = aws_sqs_queue.q.arn
  function_name    = aws_lambda_alias.live.arn
}
resource "aws_lambda_event_source_mapping" "version" {
  event_source_arn = aws_sqs_queue.q.arn
  function_name    = aws_lambda_function.f.qualified_arn
}
resource "aws_lambda_event_source_mapping" "invoke" {
  event_source_arn = aws_sqs_queue.q.arn
  function_name    = "${aws_lambda_function.f.arn}:live"
}
