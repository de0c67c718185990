# Stands in for terraform-aws-modules/sqs/aws, versions 4 and 5.
variable "create" {
  type    = bool
  default = true
}
variable "name" {
  type    = string
  default = null
}
variable "use_name_prefix" {
  type    = bool
  default = false
}
variable "fifo_queue" {
  type    = bool
  default = false
}
variable "visibility_timeout_seconds" {
  type    = number
  default = null
}
variable "message_retention_seconds" {
  type    = number
  default = null
}
variable "delay_seconds" {
  type    = number
  default = null
}
variable "receive_wait_time_seconds" {
  type    = number
  default = null
}
variable "redrive_policy" {
  type    = any
  default = {}
}
variable "redrive_allow_policy" {
  type    = any
  default = {}
}
variable "create_dlq" {
  type    = bool
  default = false
}
variable "dlq_name" {
  type    = string
  default = null
}
variable "dlq_visibility_timeout_seconds" {
  type    = number
  default = null
}
variable "dlq_message_retention_seconds" {
  type    = number
  default = null
}
variable "dlq_delay_seconds" {
  type    = number
  default = null
}
variable "dlq_receive_wait_time_seconds" {
  type    = number
  default = null
}
variable "create_dlq_redrive_allow_policy" {
  type    = bool
  default = true
}
variable "dlq_redrive_allow_policy" {
  type    = any
  default = {}
}

locals {
  suffix   = var.fifo_queue ? ".fifo" : ""
  bare     = try(trimsuffix(var.name, ".fifo"), "")
  bare_dlq = try(trimsuffix(var.dlq_name, ".fifo"), "${local.bare}-dlq")
}

resource "aws_sqs_queue" "this" {
  count                      = var.create ? 1 : 0
  name                       = var.use_name_prefix ? null : "${local.bare}${local.suffix}"
  name_prefix                = var.use_name_prefix ? "${local.bare}-" : null
  fifo_queue                 = var.fifo_queue
  visibility_timeout_seconds = var.visibility_timeout_seconds
  message_retention_seconds  = var.message_retention_seconds
  delay_seconds              = var.delay_seconds
  receive_wait_time_seconds  = var.receive_wait_time_seconds
}

resource "aws_sqs_queue" "dlq" {
  count                      = var.create && var.create_dlq ? 1 : 0
  name                       = var.use_name_prefix ? null : "${local.bare_dlq}${local.suffix}"
  name_prefix                = var.use_name_prefix ? "${local.bare_dlq}-" : null
  fifo_queue                 = var.fifo_queue
  visibility_timeout_seconds = var.dlq_visibility_timeout_seconds == null ? var.visibility_timeout_seconds : var.dlq_visibility_timeout_seconds
  message_retention_seconds  = var.dlq_message_retention_seconds == null ? var.message_retention_seconds : var.dlq_message_retention_seconds
  delay_seconds              = var.dlq_delay_seconds == null ? var.delay_seconds : var.dlq_delay_seconds
  receive_wait_time_seconds  = var.dlq_receive_wait_time_seconds == null ? var.receive_wait_time_seconds : var.dlq_receive_wait_time_seconds
}

resource "aws_sqs_queue_redrive_policy" "this" {
  count          = var.create && !var.create_dlq && length(var.redrive_policy) > 0 ? 1 : 0
  queue_url      = aws_sqs_queue.this[0].url
  redrive_policy = jsonencode(var.redrive_policy)
}

resource "aws_sqs_queue_redrive_policy" "dlq" {
  count          = var.create && var.create_dlq ? 1 : 0
  queue_url      = aws_sqs_queue.this[0].url
  redrive_policy = jsonencode(merge({ deadLetterTargetArn = aws_sqs_queue.dlq[0].arn, maxReceiveCount = 5 }, var.redrive_policy))
}

resource "aws_sqs_queue_redrive_allow_policy" "this" {
  count                = var.create && !var.create_dlq && length(var.redrive_allow_policy) > 0 ? 1 : 0
  queue_url            = aws_sqs_queue.this[0].url
  redrive_allow_policy = jsonencode(var.redrive_allow_policy)
}

resource "aws_sqs_queue_redrive_allow_policy" "dlq" {
  count                = var.create && var.create_dlq && var.create_dlq_redrive_allow_policy ? 1 : 0
  queue_url            = aws_sqs_queue.dlq[0].url
  redrive_allow_policy = jsonencode(merge({ redrivePermission = "byQueue", sourceQueueArns = [aws_sqs_queue.this[0].arn] }, var.dlq_redrive_allow_policy))
}

output "queue_id" { value = try(aws_sqs_queue.this[0].id, null) }
output "queue_arn" { value = try(aws_sqs_queue.this[0].arn, null) }
output "queue_url" { value = try(aws_sqs_queue.this[0].url, null) }
output "queue_name" { value = try(aws_sqs_queue.this[0].name, null) }
output "queue_arn_static" { value = try(aws_sqs_queue.this[0].arn, "") }
output "dead_letter_queue_id" { value = try(aws_sqs_queue.dlq[0].id, null) }
output "dead_letter_queue_arn" { value = try(aws_sqs_queue.dlq[0].arn, null) }
output "dead_letter_queue_url" { value = try(aws_sqs_queue.dlq[0].url, null) }
output "dead_letter_queue_name" { value = try(aws_sqs_queue.dlq[0].name, null) }
output "dead_letter_queue_arn_static" { value = try(aws_sqs_queue.dlq[0].arn, "") }
