resource "aws_sqs_queue" "q" {
  name                       = "q"
  visibility_timeout_seconds = 30
}
resource "aws_lambda_function" "f" {
  function_name = "f"
  environment { variables = { A = "1" } }
}
module "m" {
  source = "./m"
  t      = 1
}
output "m" { value = module.m.t }
output "env" { value = aws_lambda_function.f.environment[0].variables }
