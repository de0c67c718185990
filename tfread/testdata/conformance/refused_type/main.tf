resource "aws_sqs_queue" "q" { visibility_timeout_seconds = "15 minutes" }
