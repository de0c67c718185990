variable "enabled" { type = bool }
resource "aws_sqs_queue" "q" {
  count                      = var.enabled ? 1 : 0
  name                       = "q"
  visibility_timeout_seconds = 20
}
resource "aws_lambda_function" "f" {
  count         = var.enabled ? 1 : 0
  function_name = "f"
  timeout       = 60
}
resource "aws_lambda_event_source_mapping" "m" {
  count            = length(aws_sqs_queue.q)
  event_source_arn = aws_sqs_queue.q[count.index].arn
  function_name    = aws_lambda_function.f[count.index].arn
}
