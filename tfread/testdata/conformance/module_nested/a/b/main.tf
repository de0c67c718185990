variable "name" {}
variable "t" {}
resource "aws_sqs_queue" "q" {
  count = 1
  name = "q-${var.name}"
  visibility_timeout_seconds = var.t
}
output "t" { value = one(aws_sqs_queue.q[*].visibility_timeout_seconds) }
output "name" { value = aws_sqs_queue.q[0].name }
