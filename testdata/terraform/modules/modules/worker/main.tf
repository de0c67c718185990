variable "name" {
  type = string
}

variable "function_timeout" {
  type = number
}

variable "visibility_timeout" {
  type    = number
  default = 300
}

variable "partial_responses" {
  type    = bool
  default = false
}

resource "aws_sqs_queue" "this" {
  name                       = var.name
  visibility_timeout_seconds = var.visibility_timeout
  message_retention_seconds  = 604800

  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.dlq.arn
    maxReceiveCount     = 5
  })
}

resource "aws_sqs_queue" "dlq" {
  name                      = "${var.name}-dlq"
  message_retention_seconds = 1209600
}

resource "aws_lambda_function" "this" {
  function_name = var.name
  role          = "arn:aws:iam::123456789012:role/${var.name}"
  runtime       = "nodejs22.x"
  handler       = "index.handler"
  filename      = "${path.module}/function.zip"
  timeout       = var.function_timeout
}

resource "aws_lambda_event_source_mapping" "this" {
  event_source_arn        = aws_sqs_queue.this.arn
  function_name           = aws_lambda_function.this.arn
  function_response_types = var.partial_responses ? ["ReportBatchItemFailures"] : []
}
