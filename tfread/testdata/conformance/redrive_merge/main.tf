variable "n" { default = 4 }
variable "dlq" { default = true }
variable "defaults" { default = { maxReceiveCount = 7 } }
resource "aws_sqs_queue" "d" { name = "d" }

locals {
  policy = jsonencode(merge({ deadLetterTargetArn = aws_sqs_queue.d.arn }, var.defaults, { maxReceiveCount = var.n }))
}
output "n" { value = try(jsondecode(replace(local.policy, aws_sqs_queue.d.arn, "x")).maxReceiveCount, "none") }
resource "aws_sqs_queue" "q" {
  name           = "q"
  redrive_policy = local.policy
}
