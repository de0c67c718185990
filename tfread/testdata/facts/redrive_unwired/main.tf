resource "aws_sqs_queue" "q" { name = "jobs" }
resource "aws_sqs_queue" "dlq" { name = "jobs-dlq" }
