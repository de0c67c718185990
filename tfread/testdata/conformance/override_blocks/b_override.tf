resource "aws_sqs_queue" "q" { delay_seconds = 9 }
resource "aws_lambda_function" "f" {
  environment { variables = { B = "2" } }
}
output "m" { value = module.m.t * 10 }
