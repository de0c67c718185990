variable "nothing" { default = null }
resource "aws_sqs_queue" "q" { visibility_timeout_seconds = var.nothing }
resource "aws_lambda_function" "f" {
  function_name = "f"
  timeout       = null
}
output "vt" { value = aws_sqs_queue.q.visibility_timeout_seconds }
output "ret" { value = aws_sqs_queue.q.message_retention_seconds }
output "t" { value = aws_lambda_function.f.timeout }
output "mem" { value = aws_lambda_function.f.memory_size }
output "fifo" { value = aws_sqs_queue.q.fifo_queue }
output "reserved" { value = aws_lambda_function.f.reserved_concurrent_executions }
