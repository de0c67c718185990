variable "unset" { type = number }
variable "secret" {
  default = 45
  sensitive = true
}
resource "random_integer" "r" {
  min = 1
  max = 5
}
locals {
  deep = local.mid + 1
  mid  = var.unset
}
resource "aws_sqs_queue" "unset" { visibility_timeout_seconds = local.deep }
resource "aws_sqs_queue" "secret" { visibility_timeout_seconds = var.secret }
resource "aws_sqs_queue" "apply" { visibility_timeout_seconds = random_integer.r.result }
resource "aws_sqs_queue" "impure" { visibility_timeout_seconds = length(uuid()) }
resource "aws_sqs_queue" "data" { visibility_timeout_seconds = data.aws_ssm_parameter.p.value }
data "aws_ssm_parameter" "p" { name = "p" }
resource "aws_sqs_queue" "error" { visibility_timeout_seconds = [1][5] }
resource "aws_sqs_queue" "text" { visibility_timeout_seconds = "soon" }
resource "aws_sqs_queue" "half" { visibility_timeout_seconds = 1.5 }
resource "aws_sqs_queue" "file" { visibility_timeout_seconds = file("none.txt") }
resource "aws_sqs_queue" "remote" { visibility_timeout_seconds = module.far.timeout }
module "far" { source = "git::https://example.com/modules/far.git" }
