variable "name" {}
variable "timeout" {
  type = number
  default = 30
}
resource "aws_sqs_queue" "this" {
  name = var.name
  visibility_timeout_seconds = var.timeout
}
resource "aws_sqs_queue" "dlq" { name = "${var.name}-dlq" }
