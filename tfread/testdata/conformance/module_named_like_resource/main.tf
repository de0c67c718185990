module "aws_sqs_queue" {
  source = "./m"
}
resource "aws_sqs_queue" "module" { visibility_timeout_seconds = module.aws_sqs_queue.q }
resource "aws_sqs_queue" "var" { visibility_timeout_seconds = aws_sqs_queue.module.visibility_timeout_seconds }
