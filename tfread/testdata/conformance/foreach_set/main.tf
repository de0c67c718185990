resource "aws_sqs_queue" "q" {
  for_each                   = toset(["b", "a"])
  name                       = "jobs-${each.value}"
  visibility_timeout_seconds = each.key == "a" ? 30 : 60
}
output "names" { value = [for q in aws_sqs_queue.q : q.name] }
output "map" { value = { for k, q in aws_sqs_queue.q : k => q.visibility_timeout_seconds } }
output "keys" { value = keys(aws_sqs_queue.q) }
output "a" { value = aws_sqs_queue.q["a"].visibility_timeout_seconds }
