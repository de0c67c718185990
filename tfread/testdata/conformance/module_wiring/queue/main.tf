variable "name" {}

resource "aws_sqs_queue" "this" {
  name           = var.name
  redrive_policy = jsonencode({ deadLetterTargetArn = aws_sqs_queue.dead.arn, maxReceiveCount = 5 })
}

resource "aws_sqs_queue" "dead" { name = "${var.name}-dead" }

output "arn" { value = aws_sqs_queue.this.arn }
