variable "lambda_timeout" { default = "60" }
variable "spec" { default = "15 minutes" }
locals { unit = { seconds = 1, minutes = 60, hours = 3600 } }
resource "aws_lambda_function" "f" {
  function_name = "f"
  timeout       = var.lambda_timeout
}
resource "aws_sqs_queue" "six" { visibility_timeout_seconds = 6 * aws_lambda_function.f.timeout }
resource "aws_sqs_queue" "ceil" { visibility_timeout_seconds = ceil(var.lambda_timeout * 1.2) }
resource "aws_sqs_queue" "split" { visibility_timeout_seconds = split(" ", var.spec)[0] * local.unit[split(" ", var.spec)[1]] }
resource "aws_sqs_queue" "max" { visibility_timeout_seconds = max(30, aws_lambda_function.f.timeout * 6, 100) }
resource "aws_sqs_queue" "quoted" { visibility_timeout_seconds = "900" }
resource "aws_sqs_queue" "float" { visibility_timeout_seconds = floor(100 / 3) }
resource "aws_sqs_queue" "mod" { visibility_timeout_seconds = 100 % 7 + -1 }
resource "aws_sqs_queue" "trim" { visibility_timeout_seconds = tonumber(trimsuffix("45s", "s")) }
