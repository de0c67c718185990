variable "queue" {}

variable "name" {}

resource "aws_lambda_function" "this" {
  function_name = var.name
  timeout       = 40
}

resource "aws_lambda_alias" "live" {
  name             = "live"
  function_name    = aws_lambda_function.this.arn
  function_version = aws_lambda_function.this.version
}

resource "aws_lambda_event_source_mapping" "this" {
  event_source_arn = var.queue
  function_name    = aws_lambda_alias.live.arn
}
