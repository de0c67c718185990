locals { q = { a = 30, b = 90 } }
resource "aws_sqs_queue" "q" {
  for_each                   = local.q
  name                       = each.key
  visibility_timeout_seconds = each.value
}
resource "aws_lambda_function" "f" {
  for_each      = aws_sqs_queue.q
  function_name = "f-${each.key}"
  timeout       = each.value.visibility_timeout_seconds / 6
}
resource "aws_lambda_event_source_mapping" "m" {
  for_each         = { for k, q in aws_sqs_queue.q : k => q.arn }
  event_source_arn = each.value
  function_name    = aws_lambda_function.f[each.key].arn
  batch_size       = length(aws_lambda_function.f)
}
