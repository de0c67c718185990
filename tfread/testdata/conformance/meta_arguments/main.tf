resource "aws_sqs_queue" "a" {
  name       = "a"
  depends_on = [aws_sqs_queue.b]
  lifecycle {
    prevent_destroy = true
    ignore_changes  = [tags]
  }
  tags = { count = "1" }
}
resource "aws_sqs_queue" "b" { name = "b" }
variable "t" {
  default = 30
  validation {
    condition     = var.t > 0
    error_message = "positive."
  }
}
output "t" {
  value      = var.t
  depends_on = [aws_sqs_queue.a]
}
check "c" {
  assert {
    condition     = aws_sqs_queue.b.delay_seconds == 0
    error_message = "x"
  }
}
moved {
  from = aws_sqs_queue.old
  to   = aws_sqs_queue.a
}
