variable "name" {}
resource "aws_sqs_queue" "this" { name = var.name }
output "arn" { value = aws_sqs_queue.this.arn }
