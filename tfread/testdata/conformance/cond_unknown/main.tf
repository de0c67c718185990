resource "aws_sqs_queue" "x" { name = "x" }
resource "aws_sqs_queue" "q" {
  name                       = "q"
  visibility_timeout_seconds = aws_sqs_queue.x.arn == "y" ? 60 : 60
  delay_seconds              = length(aws_sqs_queue.x.url) > 3 ? 5 : 7
}
output "name" { value = aws_sqs_queue.x.name == "x" ? 1 : 2 }
output "notnull" { value = aws_sqs_queue.x.arn != null ? 1 : 0 }
output "self" { value = aws_sqs_queue.x.arn == aws_sqs_queue.x.arn }
output "prefix" { value = startswith(aws_sqs_queue.x.arn, "arn") }
