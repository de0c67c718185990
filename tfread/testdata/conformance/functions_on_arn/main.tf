resource "aws_sqs_queue" "q" { name = "orders" }
resource "aws_sqs_queue" "d" { redrive_policy = replace(jsonencode({ deadLetterTargetArn = aws_sqs_queue.q.arn, maxReceiveCount = "5" }), "/\"([0-9]+)\"/", "$1") }
output "n" { value = length([aws_sqs_queue.q.arn]) }
output "m" { value = merge({ a = aws_sqs_queue.q.arn }, { b = 2 }).b }
output "z" { value = [aws_sqs_queue.q.arn, "z"][1] }
output "len" { value = length(aws_sqs_queue.q.arn) }
output "name" { value = upper(aws_sqs_queue.q.name) }
output "keep" { value = coalesce(aws_sqs_queue.q.name, "x") }
output "sub" { value = substr(md5(aws_sqs_queue.q.arn), 0, 8) }
