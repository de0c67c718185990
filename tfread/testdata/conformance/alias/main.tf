resource "aws_sqs_queue" "q" { name = "q" }
resource "aws_lambda_function" "f" {
  function_name = "worker"
  timeout       = 45
  publish       = true
}
resource "aws_lambda_alias" "live" {
  name             = "live"
  function_name    = aws_lambda_function.f.function_name
  function_version = aws_lambda_function.f.version
}
resource "aws_lambda_event_source_mapping" "by_alias" {
  event_source_arn = aws_sqs_queue.q.arn
  function_name    = aws_lambda_alias.live.arn
}
resource "aws_lambda_event_source_mapping" "by_version" {
  event_source_arn = aws_sqs_queue.q.arn
  function_name    = aws_lambda_function.f.qualified_arn
}
resource "aws_lambda_event_source_mapping" "by_name" {
  event_source_arn = aws_sqs_queue.q.arn
  function_name    = "${aws_lambda_alias.live.function_name}:${aws_lambda_alias.live.name}"
}
resource "aws_lambda_event_source_mapping" "by_text" {
  event_source_arn = "arn:aws:sqs:eu-west-1:123456789012:q"
  function_name    = "arn:aws:lambda:eu-west-1:123456789012:function:worker:live"
}
