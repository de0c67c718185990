resource "aws_sqs_queue" "q" {
  for_each = {
    fast = { vt = 10, opts = { delay = 1 } }
    slow = { vt = 20, opts = {} }
  }
  name                       = "x-${each.key}"
  visibility_timeout_seconds = each.value["vt"]
  delay_seconds              = try(each.value.opts.delay, 0)
}
locals { sorted = [for k in reverse(sort(keys(aws_sqs_queue.q))) : aws_sqs_queue.q[k].visibility_timeout_seconds] }
output "sorted" { value = local.sorted }
output "sum" { value = sum(values(aws_sqs_queue.q)[*].visibility_timeout_seconds) }
output "maxname" { value = [for q in values(aws_sqs_queue.q) : q.name if q.visibility_timeout_seconds == max(values(aws_sqs_queue.q)[*].visibility_timeout_seconds...)][0] }
