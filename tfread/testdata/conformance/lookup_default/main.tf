locals { cfg = { orders = { vt = 120 }, mail = {} } }
variable "m" {
  type    = map(number)
  default = { a = 5 }
}
resource "aws_sqs_queue" "q" {
  for_each                   = local.cfg
  name                       = each.key
  visibility_timeout_seconds = lookup(each.value, "vt", 30)
  delay_seconds              = lookup(var.m, each.key, 1)
}
output "two" { value = lookup(var.m, "a") }
output "try" { value = try(local.cfg.mail.vt, local.cfg.orders.vt, 1) }
