resource "aws_sqs_queue" "q" {
  name           = "q"
  redrive_policy = jsonencode({ deadLetterTargetArn = "arn:aws:sqs:eu-west-1:123456789012:dead", maxReceiveCount = "3" })
}
resource "aws_sqs_queue" "r" { redrive_policy = "" }
resource "aws_sqs_queue" "dlq" {
  redrive_allow_policy = jsonencode({ redrivePermission = "byQueue", sourceQueueArns = ["arn:aws:sqs:eu-west-1:123456789012:q"] })
}
output "p" { value = jsondecode(aws_sqs_queue.q.redrive_policy).maxReceiveCount }
