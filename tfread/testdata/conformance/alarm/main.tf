resource "aws_sqs_queue" "q" { name = "orders" }
resource "aws_cloudwatch_metric_alarm" "age" {
  alarm_name  = "age-${aws_sqs_queue.q.name}"
  namespace   = "AWS/SQS"
  metric_name = "ApproximateAgeOfOldestMessage"
  dimensions  = { QueueName = aws_sqs_queue.q.name }
}
resource "aws_cloudwatch_metric_alarm" "math" {
  alarm_name = "math"
  metric_query {
    id         = "e"
    expression = "a + b"
  }
  metric_query {
    id = "a"
    metric {
      namespace   = "AWS/SQS"
      metric_name = "ApproximateNumberOfMessagesNotVisible"
      dimensions  = { QueueName = "orders" }
    }
  }
}
