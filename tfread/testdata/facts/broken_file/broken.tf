resource "aws_lambda_function" "g" {
  timeout = = 5
}
