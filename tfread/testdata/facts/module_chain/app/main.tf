module "q" {
  source   = "../queue"
  for_each = toset(["a", "b"])
  name     = each.key
}
module "w" {
  source = "../worker"
  queues = { for k, m in module.q : k => m.arn }
}
