resource "aws_sqs_queue" "q" {
  name           = "q"
  redrive_policy = try(jsonencode({ deadLetterTargetArn = aws_sqs_queue.dead[0].arn, maxReceiveCount = 3 }), null)
}
