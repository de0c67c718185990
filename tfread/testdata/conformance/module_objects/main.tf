resource "aws_sqs_queue" "q" {
  name                       = "q"
  visibility_timeout_seconds = 77
}
resource "aws_lambda_function" "f" {
  for_each      = { a = 5, b = 6 }
  function_name = each.key
  timeout       = each.value
}
module "wire" {
  source    = "./wire"
  queue     = aws_sqs_queue.q
  functions = aws_lambda_function.f
}
output "t" { value = module.wire.t }
output "whole" { value = module.wire.whole.visibility_timeout_seconds }
output "f" { value = module.wire.f }
