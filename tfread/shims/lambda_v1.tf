# Stands in for terraform-aws-modules/lambda/aws, versions 1 to 8.
variable "create" {
  type    = bool
  default = true
}
variable "create_function" {
  type    = bool
  default = true
}
variable "create_layer" {
  type    = bool
  default = false
}
variable "function_name" {
  type    = string
  default = ""
}
variable "timeout" {
  type    = number
  default = 3
}
variable "reserved_concurrent_executions" {
  type    = number
  default = -1
}
variable "lambda_at_edge" {
  type    = bool
  default = false
}
variable "event_source_mapping" {
  type    = any
  default = {}
}
variable "create_unqualified_alias_allowed_triggers" {
  type    = bool
  default = true
}

locals {
  create = var.create && var.create_function && !var.create_layer
}

resource "aws_lambda_function" "this" {
  count                          = local.create ? 1 : 0
  function_name                  = var.function_name
  timeout                        = var.lambda_at_edge ? min(var.timeout, 30) : var.timeout
  reserved_concurrent_executions = var.reserved_concurrent_executions
}

resource "aws_lambda_event_source_mapping" "this" {
  for_each                           = { for name, m in var.event_source_mapping : name => m if local.create && var.create_unqualified_alias_allowed_triggers }
  function_name                      = aws_lambda_function.this[0].arn
  event_source_arn                   = try(each.value.event_source_arn, null)
  batch_size                         = try(each.value.batch_size, null)
  maximum_batching_window_in_seconds = try(each.value.maximum_batching_window_in_seconds, null)
  enabled                            = try(each.value.enabled, true)
  starting_position                  = try(each.value.starting_position, null)
  topics                             = try(each.value.topics, null)
  queues                             = try(each.value.queues, null)
  function_response_types            = try(each.value.function_response_types, null)

  dynamic "scaling_config" {
    for_each = try([each.value.scaling_config], [])
    content {
      maximum_concurrency = try(scaling_config.value.maximum_concurrency, null)
    }
  }

  dynamic "provisioned_poller_config" {
    for_each = try([each.value.provisioned_poller_config], [])
    content {
      maximum_pollers = try(provisioned_poller_config.value.maximum_pollers, null)
      minimum_pollers = try(provisioned_poller_config.value.minimum_pollers, null)
    }
  }
}

output "lambda_function_arn" { value = try(aws_lambda_function.this[0].arn, "") }
output "lambda_function_name" { value = try(aws_lambda_function.this[0].function_name, "") }
output "lambda_function_invoke_arn" { value = try(aws_lambda_function.this[0].invoke_arn, "") }
output "lambda_function_qualified_arn" { value = try(aws_lambda_function.this[0].qualified_arn, "") }
output "lambda_function_version" { value = try(aws_lambda_function.this[0].version, "") }
output "this_lambda_function_arn" { value = try(aws_lambda_function.this[0].arn, "") }
output "this_lambda_function_name" { value = try(aws_lambda_function.this[0].function_name, "") }
output "this_lambda_function_invoke_arn" { value = try(aws_lambda_function.this[0].invoke_arn, "") }
output "this_lambda_function_qualified_arn" { value = try(aws_lambda_function.this[0].qualified_arn, "") }
output "this_lambda_function_version" { value = try(aws_lambda_function.this[0].version, "") }
output "lambda_function_arn_static" { value = try(aws_lambda_function.this[0].arn, "") }
