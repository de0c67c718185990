resource "aws_sqs_queue" "q" {
  count = 3
  name  = "q${count.index}"
}
resource "aws_lambda_event_source_mapping" "m" {
  count            = length(aws_sqs_queue.q)
  event_source_arn = aws_sqs_queue.q[count.index].arn
  function_name    = "f${count.index % 2}"
}
resource "aws_sqs_queue" "d" {
  count = length([for q in aws_sqs_queue.q : q if q.name != "q0"])
  name  = aws_sqs_queue.q[count.index + 1].name
}
