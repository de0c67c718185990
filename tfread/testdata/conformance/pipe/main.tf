resource "aws_sqs_queue" "q" { name = "q" }
resource "aws_lambda_function" "f" {
  function_name = "f"
  timeout       = 9
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
output "b" { value = aws_pipes_pipe.p.source_parameters[0].sqs_queue_parameters[0].batch_size }
