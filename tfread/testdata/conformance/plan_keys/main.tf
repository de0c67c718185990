locals {
  jobs = {
    a = { queue = "b", max = 4 }
    b = { queue = "a", max = 5 }
  }
}
resource "aws_sqs_queue" "dead" {
  for_each = local.jobs
  name     = "dead-${each.key}"
}
resource "aws_sqs_queue" "q" {
  for_each       = local.jobs
  name           = "q-${each.key}"
  redrive_policy = jsonencode({ deadLetterTargetArn = aws_sqs_queue.dead[each.key].arn, maxReceiveCount = each.value.max })
}
resource "aws_lambda_function" "f" {
  for_each      = local.jobs
  function_name = "f-${each.key}"
  timeout       = each.key == "a" ? 10 : 20
}
# By its own key, where the loop is over something else.
resource "aws_lambda_event_source_mapping" "own" {
  for_each         = { for k, f in aws_lambda_function.f : k => f if k == "a" }
  event_source_arn = aws_sqs_queue.q[each.key].arn
  function_name    = each.value.arn
}
# By another key: the plan alone does not tell which.
resource "aws_lambda_event_source_mapping" "other" {
  for_each         = local.jobs
  event_source_arn = aws_sqs_queue.q[each.value.queue].arn
  function_name    = aws_lambda_function.f[each.key].arn
}
