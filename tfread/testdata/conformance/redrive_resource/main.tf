resource "aws_sqs_queue" "d" { name = "d" }
resource "aws_sqs_queue" "q" { name = "q" }
resource "aws_sqs_queue_redrive_policy" "p" {
  queue_url      = aws_sqs_queue.q.id
  redrive_policy = jsonencode({ deadLetterTargetArn = aws_sqs_queue.d.arn, maxReceiveCount = 4 })
}
resource "aws_sqs_queue_redrive_allow_policy" "a" {
  queue_url            = aws_sqs_queue.d.url
  redrive_allow_policy = jsonencode({ redrivePermission = "byQueue", sourceQueueArns = [aws_sqs_queue.q.arn] })
}
