variable "is_stream" {}
variable "position" {}
resource "aws_sqs_queue" "q" {
  name = "q"
}
resource "aws_lambda_function" "f" {
  function_name = "f"
}
resource "aws_lambda_event_source_mapping" "m" {
  event_source_arn  = aws_sqs_queue.q.arn
  function_name     = aws_lambda_function.f.arn
  starting_position = var.is_stream ? "LATEST" : null
}
resource "aws_lambda_event_source_mapping" "n" {
  event_source_arn  = aws_sqs_queue.q.arn
  function_name     = aws_lambda_function.f.arn
  starting_position = var.position
}
