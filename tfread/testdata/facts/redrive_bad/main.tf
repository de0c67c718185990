variable "n" { type = number }
variable "policy" {}
resource "aws_sqs_queue" "json" { redrive_policy = "{not json" }
resource "aws_sqs_queue" "count" { redrive_policy = jsonencode({ deadLetterTargetArn = aws_sqs_queue.json.arn, maxReceiveCount = var.n }) }
resource "aws_sqs_queue" "nocount" { redrive_policy = jsonencode({ deadLetterTargetArn = aws_sqs_queue.json.arn }) }
resource "aws_sqs_queue" "unknown" { redrive_policy = var.policy }
resource "aws_sqs_queue" "word" { redrive_policy = jsonencode({ deadLetterTargetArn = aws_sqs_queue.json.arn, maxReceiveCount = "many" }) }
