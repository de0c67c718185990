variable "t" { default = 20 }
module "q" {
  source  = "./modules/queue"
  name    = "orders"
  timeout = var.t * 6
}
resource "aws_lambda_function" "f" {
  function_name = "f"
  timeout       = module.q.timeout / 6
}
resource "aws_lambda_event_source_mapping" "m" {
  event_source_arn = module.q.arn
  function_name    = aws_lambda_function.f.function_name
}
output "name" { value = module.q.name }
