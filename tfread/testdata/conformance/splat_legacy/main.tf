resource "aws_sqs_queue" "q" {
  count                      = 2
  visibility_timeout_seconds = 30 + count.index
}
output "legacy" { value = aws_sqs_queue.q.*.visibility_timeout_seconds }
output "first" { value = element(aws_sqs_queue.q.*.visibility_timeout_seconds, 0) }
output "full" { value = aws_sqs_queue.q[*].visibility_timeout_seconds }
output "nested" { value = [{ a = [{ b = 1 }, { b = 2 }] }][*].a[*].b }
output "nested_legacy" { value = [{ a = { b = [1, 2] } }].*.a.b }
