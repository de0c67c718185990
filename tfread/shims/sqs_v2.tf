# Stands in for terraform-aws-modules/sqs/aws, version 2.
variable "create" {
  type    = bool
  default = true
}
variable "name" {
  type    = string
  default = null
}
variable "name_prefix" {
  type    = string
  default = null
}
variable "fifo_queue" {
  type    = bool
  default = false
}
variable "visibility_timeout_seconds" {
  type    = number
  default = 30
}
variable "message_retention_seconds" {
  type    = number
  default = 345600
}
variable "delay_seconds" {
  type    = number
  default = 0
}
variable "receive_wait_time_seconds" {
  type    = number
  default = 0
}
variable "redrive_policy" {
  type    = string
  default = ""
}

resource "aws_sqs_queue" "this" {
  count                      = var.create ? 1 : 0
  name                       = var.name
  name_prefix                = var.name_prefix
  fifo_queue                 = var.fifo_queue
  visibility_timeout_seconds = var.visibility_timeout_seconds
  message_retention_seconds  = var.message_retention_seconds
  delay_seconds              = var.delay_seconds
  receive_wait_time_seconds  = var.receive_wait_time_seconds
  redrive_policy             = var.redrive_policy
}

output "this_sqs_queue_id" { value = try(aws_sqs_queue.this[0].id, "") }
output "this_sqs_queue_arn" { value = try(aws_sqs_queue.this[0].arn, "") }
output "this_sqs_queue_name" { value = try(aws_sqs_queue.this[0].name, "") }
output "this_sqs_queue_url" { value = try(aws_sqs_queue.this[0].url, "") }
