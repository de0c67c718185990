data "aws_sqs_queue" "jobs" { name = "jobs" }
data "aws_lambda_function" "w" { function_name = "worker" }
variable "queue_arn" {}
variable "source" {}
resource "aws_lambda_event_source_mapping" "data" {
  event_source_arn = data.aws_sqs_queue.jobs.arn
  function_name    = data.aws_lambda_function.w.arn
}
resource "aws_lambda_event_source_mapping" "literal" {
  event_source_arn = "arn:aws:sqs:eu-west-1:123456789012:other.fifo"
  function_name    = "their-worker"
}
resource "aws_lambda_event_source_mapping" "variable" {
  event_source_arn = var.queue_arn
  function_name    = "f"
}
resource "aws_lambda_event_source_mapping" "unclear" {
  event_source_arn = var.source
  function_name    = "f"
}
resource "aws_sqs_queue" "q" {
  redrive_policy = jsonencode({ deadLetterTargetArn = "arn:aws:sqs:eu-west-1:123456789012:dead", maxReceiveCount = 3 })
}
