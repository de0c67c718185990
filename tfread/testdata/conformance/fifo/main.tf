variable "fifo" { default = true }
locals { name = "orders${var.fifo ? ".fifo" : ""}" }
resource "aws_sqs_queue" "q" {
  name                        = local.name
  fifo_queue                  = var.fifo
  content_based_deduplication = var.fifo
  redrive_policy              = jsonencode({ deadLetterTargetArn = aws_sqs_queue.d.arn, maxReceiveCount = 3 })
}
resource "aws_sqs_queue" "d" {
  name_prefix = "dead-"
  fifo_queue  = var.fifo
}
output "isfifo" { value = endswith(aws_sqs_queue.q.name, ".fifo") }
