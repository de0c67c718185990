# Stands in for terraform-aws-modules/lambda/aws//modules/alias, versions 1 to 8.
variable "create" {
  type    = bool
  default = true
}
variable "use_existing_alias" {
  type    = bool
  default = false
}
variable "name" {
  type    = string
  default = ""
}
variable "function_name" {
  type    = string
  default = ""
}
variable "function_version" {
  type    = string
  default = ""
}

resource "aws_lambda_alias" "no_refresh" {
  count            = var.create && !var.use_existing_alias ? 1 : 0
  name             = var.name
  function_name    = var.function_name
  function_version = var.function_version != "" ? var.function_version : "$LATEST"
}

data "aws_lambda_alias" "existing" {
  count         = var.create && var.use_existing_alias ? 1 : 0
  function_name = var.function_name
  name          = var.name
}

output "lambda_alias_arn" { value = try(data.aws_lambda_alias.existing[0].arn, aws_lambda_alias.no_refresh[0].arn, "") }
output "lambda_alias_name" { value = try(data.aws_lambda_alias.existing[0].name, aws_lambda_alias.no_refresh[0].name, "") }
output "lambda_alias_invoke_arn" { value = try(data.aws_lambda_alias.existing[0].invoke_arn, aws_lambda_alias.no_refresh[0].invoke_arn, "") }
output "this_lambda_alias_arn" { value = try(data.aws_lambda_alias.existing[0].arn, aws_lambda_alias.no_refresh[0].arn, "") }
output "this_lambda_alias_name" { value = try(data.aws_lambda_alias.existing[0].name, aws_lambda_alias.no_refresh[0].name, "") }
output "this_lambda_alias_invoke_arn" { value = try(data.aws_lambda_alias.existing[0].invoke_arn, aws_lambda_alias.no_refresh[0].invoke_arn, "") }
