variable t { default = 31 }
resource aws_sqs_queue q {
  name                       = "q"
  visibility_timeout_seconds = var.t
}
output t { value = aws_sqs_queue.q.visibility_timeout_seconds }
