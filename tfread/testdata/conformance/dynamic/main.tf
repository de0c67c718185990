variable "max" { default = 5 }
variable "filters" { default = ["a", "b"] }
resource "aws_sqs_queue" "q" { name = "q" }
resource "aws_lambda_function" "f" { function_name = "f" }
resource "aws_lambda_event_source_mapping" "m" {
  event_source_arn = aws_sqs_queue.q.arn
  function_name    = aws_lambda_function.f.arn
  dynamic "scaling_config" {
    for_each = var.max > 2 ? [var.max] : []
    content { maximum_concurrency = scaling_config.value }
  }
  dynamic "filter_criteria" {
    for_each = length(var.filters) > 0 ? [1] : []
    content {
      dynamic "filter" {
        for_each = var.filters
        iterator = f
        content { pattern = jsonencode({ body = { kind = [f.value], n = [f.key] } }) }
      }
    }
  }
}
output "max" { value = aws_lambda_event_source_mapping.m.scaling_config[0].maximum_concurrency }
output "pattern" { value = aws_lambda_event_source_mapping.m.filter_criteria[0].filter[1].pattern }
