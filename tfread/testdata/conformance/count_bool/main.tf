variable "create" { default = true }
variable "n" { default = "2" }
resource "aws_sqs_queue" "a" { count = var.create ? 1 : 0 }
resource "aws_sqs_queue" "b" { count = var.n }
resource "aws_sqs_queue" "c" { count = var.create ? 0 : 1 }
output "n" { value = length(aws_sqs_queue.b) }
output "idx" { value = aws_sqs_queue.b[1].visibility_timeout_seconds }
output "none" { value = length(aws_sqs_queue.c[*].arn) }
output "one" { value = one(aws_sqs_queue.c[*].visibility_timeout_seconds) == null }
