# What nobody can know before apply, or without the values of variables.

variable "visibility_timeout" {
  type = number
}

variable "token" {
  type      = string
  sensitive = true
}

data "aws_ssm_parameter" "function_timeout" {
  name = "/agent/timeout"
}

resource "aws_sqs_queue" "cases" {
  name                       = "cases"
  visibility_timeout_seconds = var.visibility_timeout

  redrive_policy = jsonencode({
    deadLetterTargetArn = "arn:aws:sqs:eu-west-1:123456789012:elsewhere-dlq"
    maxReceiveCount     = 5
  })
}

resource "aws_lambda_function" "agent" {
  function_name = "first-response"
  role          = "arn:aws:iam::123456789012:role/agent"
  runtime       = "python3.13"
  handler       = "agent.handle"
  filename      = "agent.zip"
  timeout       = tonumber(data.aws_ssm_parameter.function_timeout.value)

  environment {
    variables = { TOKEN = var.token }
  }
}

resource "aws_lambda_event_source_mapping" "agent" {
  event_source_arn = aws_sqs_queue.cases.arn
  function_name    = aws_lambda_function.agent.arn
  batch_size       = 1
}
