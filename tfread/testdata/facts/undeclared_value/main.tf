resource "aws_sqs_queue" "q" { visibility_timeout_seconds = var.from_outside }
