variable "queues" { type = map(string) }
resource "aws_lambda_function" "f" {
  function_name = "w"
  timeout = 40
}
resource "aws_lambda_event_source_mapping" "m" {
  for_each         = var.queues
  event_source_arn = each.value
  function_name    = aws_lambda_function.f.arn
}
