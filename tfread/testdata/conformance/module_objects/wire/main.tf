variable "queue" {}
variable "functions" {}
resource "aws_lambda_event_source_mapping" "m" {
  for_each         = var.functions
  event_source_arn = var.queue.arn
  function_name    = each.value.arn
  batch_size       = each.value.timeout
}
output "t" { value = var.queue.visibility_timeout_seconds }
output "whole" { value = var.queue }
output "f" { value = { for k, f in var.functions : k => f.timeout } }
