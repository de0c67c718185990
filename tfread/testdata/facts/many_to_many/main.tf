resource "aws_sqs_queue" "q" {
  name                       = "q"
  visibility_timeout_seconds = 60
}
resource "aws_lambda_function" "f" {
  function_name = "f"
  timeout       = 30
}
resource "aws_sqs_queue" "r" {}
resource "aws_lambda_function" "g" {
  function_name = "g"
  reserved_concurrent_executions = 5
}
resource "aws_lambda_event_source_mapping" "a" {
  event_source_arn = aws_sqs_queue.q.arn
  function_name    = aws_lambda_function.f.arn
  scaling_config {
    maximum_concurrency = 4
  }
}
resource "aws_lambda_event_source_mapping" "b" {
  event_source_arn = aws_sqs_queue.q.id
  function_name    = aws_lambda_function.g.function_name
}
resource "aws_lambda_event_source_mapping" "c" {
  event_source_arn = aws_sqs_queue.r.arn
  function_name    = aws_lambda_function.g.arn
  batch_size = 100
  maximum_batching_window_in_seconds = 5
  function_response_types = ["ReportBatchItemFailures"]
  provisioned_poller_config {
    minimum_pollers = 2
  }
}
