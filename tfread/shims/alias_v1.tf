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

variable "event_source_mapping" {
  type    = any
  default = {}
}

locals {
  alias = try(data.aws_lambda_alias.existing[0].arn, aws_lambda_alias.no_refresh[0].arn, "")
}

resource "aws_lambda_event_source_mapping" "this" {
  for_each                           = { for name, m in var.event_source_mapping : name => m if var.create }
  function_name                      = local.alias
  event_source_arn                   = try(each.value.event_source_arn, null)
  batch_size                         = try(each.value.batch_size, null)
  maximum_batching_window_in_seconds = try(each.value.maximum_batching_window_in_seconds, null)
  enabled                            = try(each.value.enabled, null)
  starting_position                  = try(each.value.starting_position, null)
  function_response_types            = try(each.value.function_response_types, null)

  dynamic "scaling_config" {
    for_each = try([each.value.scaling_config], [])
    content {
      maximum_concurrency = try(scaling_config.value.maximum_concurrency, null)
    }
  }
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
