resource "aws_sqs_queue" "q" {
  name                       = "q"
  visibility_timeout_seconds = 60
}
resource "aws_lambda_function" "f" {
  function_name = "f"
  timeout       = 30
}
resource "aws_pipes_pipe" "p" {
  name   = "p"
  source = aws_sqs_queue.q.arn
  target = aws_lambda_function.f.arn
  source_parameters {
    sqs_queue_parameters {
      batch_size                         = 3
      maximum_batching_window_in_seconds = 4
    }
  }
}
resource "aws_pipes_pipe" "stream" {
  name   = "s"
  source = "arn:aws:kinesis:eu-west-1:123456789012:stream/s"
  target = aws_lambda_function.f.arn
}
resource "aws_pipes_pipe" "topic" {
  name   = "t"
  source = aws_sqs_queue.q.arn
  target = "arn:aws:sns:eu-west-1:123456789012:t"
}
resource "aws_cloudwatch_metric_alarm" "age" {
  alarm_name  = "age"
  namespace   = "AWS/SQS"
  metric_name = "ApproximateAgeOfOldestMessage"
  dimensions  = { QueueName = aws_sqs_queue.q.name }
}
resource "aws_cloudwatch_metric_alarm" "other" {
  alarm_name  = "cpu"
  namespace   = "AWS/EC2"
  metric_name = "CPUUtilization"
}
