resource "aws_sqs_queue" "q" {
  name                       = "q"
  visibility_timeout_seconds = 60
}
resource "aws_lambda_function" "f" {
  function_name = "f"
  timeout       = 30
}
variable "arn" {}
variable "env" {}
locals { arn = aws_sqs_queue.q.arn }
resource "aws_sqs_queue" "region" { visibility_timeout_seconds = split(":", local.arn)[3] == "eu-west-1" ? 900 : 30 }
resource "aws_sqs_queue" "length" { visibility_timeout_seconds = length(local.arn) }
resource "aws_sqs_queue" "name" { visibility_timeout_seconds = split(":", local.arn)[5] == "q" ? 11 : 12 }
resource "aws_sqs_queue" "can" { visibility_timeout_seconds = can(regex("^arn:aws:sqs", local.arn)) ? 1 : 2 }
resource "aws_sqs_queue" "try" { visibility_timeout_seconds = try(regex("zzz", local.arn), 7) }
resource "aws_sqs_queue" "set" { visibility_timeout_seconds = length(toset([var.arn, var.env])) }
resource "aws_sqs_queue" "env" { visibility_timeout_seconds = var.env == "prod" ? 900 : 30 }
resource "aws_sqs_queue" "index" { visibility_timeout_seconds = { prod = 900, dev = 30 }[var.env] }
resource "aws_sqs_queue" "same" { visibility_timeout_seconds = { prod = 900, dev = 900 }[var.env] }
resource "aws_sqs_queue" "lookup" { visibility_timeout_seconds = lookup({ prod = 900 }, var.env, 30) }
resource "aws_sqs_queue" "sort" { visibility_timeout_seconds = index(sort(["b", var.env]), "b") }
resource "aws_sqs_queue" "contains" { visibility_timeout_seconds = contains([var.env], var.env) ? 5 : 6 }
resource "aws_sqs_queue" "contains2" { visibility_timeout_seconds = contains(["prod"], var.env) ? 5 : 6 }
resource "aws_sqs_queue" "empty" { visibility_timeout_seconds = var.arn != "" ? 5 : 6 }
resource "aws_sqs_queue" "computed" { visibility_timeout_seconds = local.arn != "" ? 5 : 6 }
resource "aws_sqs_queue" "md5" { visibility_timeout_seconds = parseint(substr(md5(local.arn), 0, 2), 16) }
resource "aws_sqs_queue" "starts" { visibility_timeout_seconds = startswith(var.env, "p") ? 5 : 6 }
resource "aws_sqs_queue" "coalesce" { visibility_timeout_seconds = coalesce(var.env, "30") }
resource "aws_sqs_queue" "number" { visibility_timeout_seconds = var.env * 2 }
resource "aws_sqs_queue" "and" { visibility_timeout_seconds = (var.env == "prod" && false) ? 5 : 6 }
resource "aws_sqs_queue" "compact" { visibility_timeout_seconds = length(compact([var.env, "x"])) }
resource "aws_sqs_queue" "format" { visibility_timeout_seconds = length(format("%-30s", var.env)) }
resource "aws_sqs_queue" "hash" { name = "j-${substr(md5(var.env), 0, 6)}" }
resource "aws_lambda_event_source_mapping" "hash" {
  event_source_arn = "arn:aws:sqs:eu-west-1:1:j-${substr(md5(var.env), 0, 6)}"
  function_name    = "${lower(var.env)}-w"
}
resource "aws_lambda_function" "lower" {
  function_name = "${lower(var.env)}-w"
  timeout = 21
}
resource "aws_lambda_event_source_mapping" "uuid" {
  event_source_arn = "arn:aws:sqs:eu-west-1:1:${uuid()}-q"
  function_name    = "f"
}
resource "aws_sqs_queue" "uuid" { name = "${uuid()}-q" }
