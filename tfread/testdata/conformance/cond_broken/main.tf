variable "legacy" { default = false }
resource "aws_sqs_queue" "new" {
  count                      = var.legacy ? 0 : 1
  visibility_timeout_seconds = 120
}
resource "aws_sqs_queue" "old" { count = var.legacy ? 1 : 0 }
output "t" { value = var.legacy ? aws_sqs_queue.old[0].visibility_timeout_seconds : aws_sqs_queue.new[0].visibility_timeout_seconds }
output "map" { value = var.legacy ? { a = 1 }["b"] : 5 }
