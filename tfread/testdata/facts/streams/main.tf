resource "aws_sqs_queue" "q" {
  name                       = "q"
  visibility_timeout_seconds = 60
}
resource "aws_lambda_function" "f" {
  function_name = "f"
  timeout       = 30
}
resource "aws_kinesis_stream" "s" { name = "s" }
resource "aws_dynamodb_table" "t" { name = "t" }
resource "aws_lambda_event_source_mapping" "kinesis" {
  event_source_arn = aws_kinesis_stream.s.arn
  function_name    = aws_lambda_function.f.arn
  starting_position = "LATEST"
}
resource "aws_lambda_event_source_mapping" "table" {
  event_source_arn = aws_dynamodb_table.t.stream_arn
  function_name    = aws_lambda_function.f.arn
}
resource "aws_lambda_event_source_mapping" "broker" {
  event_source_arn = "arn:aws:mq:eu-west-1:123456789012:broker:b"
  function_name    = aws_lambda_function.f.arn
}
resource "aws_lambda_event_source_mapping" "kafka" {
  function_name = aws_lambda_function.f.arn
  topics = ["t"]
}
