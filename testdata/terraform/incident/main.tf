# The help desk's queue, left at the timeout it always had, and the agent that
# was put behind it.

resource "aws_sqs_queue" "cases" {
  name                       = "cases"
  visibility_timeout_seconds = 30

  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.cases_dlq.arn
    maxReceiveCount     = 5
  })
}

resource "aws_sqs_queue" "cases_dlq" {
  name                      = "cases-dlq"
  message_retention_seconds = 1209600
}

resource "aws_lambda_function" "agent" {
  function_name = "first-response"
  role          = "arn:aws:iam::123456789012:role/agent"
  runtime       = "python3.13"
  handler       = "agent.handle"
  filename      = "agent.zip"
  timeout       = 60
}

resource "aws_lambda_event_source_mapping" "agent" {
  event_source_arn = aws_sqs_queue.cases.arn
  function_name    = aws_lambda_function.agent.arn
  batch_size       = 1
}
