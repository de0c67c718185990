variable "t" { default = 1 }
resource "aws_sqs_queue" "q" { visibility_timeout_seconds = var.t }
output "t" { value = aws_sqs_queue.q.visibility_timeout_seconds }
