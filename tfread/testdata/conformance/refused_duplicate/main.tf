resource "aws_sqs_queue" "q" { name = "a" }
resource "aws_sqs_queue" "q" { name = "b" }
