output "arn" { value = aws_sqs_queue.this.arn }
output "timeout" { value = aws_sqs_queue.this.visibility_timeout_seconds }
output "name" { value = aws_sqs_queue.this.name }
