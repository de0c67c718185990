resource "aws_sqs_queue" "q" {
  dynamic "redrive_policy" {
    for_each = [1]
    content { maxReceiveCount = 3 }
  }
}
