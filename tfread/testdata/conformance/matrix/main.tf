locals {
  envs   = ["dev", "prod"]
  queues = { mail = { t = 30 }, pdf = { t = 300 } }
  all = merge([for e in local.envs : {
    for k, q in local.queues : "${e}-${k}" => { env = e, t = e == "prod" ? q.t * 2 : q.t }
  }]...)
}
resource "aws_sqs_queue" "q" {
  for_each                   = local.all
  name                       = each.key
  visibility_timeout_seconds = each.value.t
  tags                       = { env = each.value.env }
}
