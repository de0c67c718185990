locals { m = { "a b" = 1, "q\"t" = 2, "x.y" = 3 } }
resource "aws_sqs_queue" "q" {
  for_each                   = local.m
  visibility_timeout_seconds = each.value * 10
}
output "v" { value = values(aws_sqs_queue.q)[*].visibility_timeout_seconds }
