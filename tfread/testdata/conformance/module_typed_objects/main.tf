resource "aws_sqs_queue" "q" {
  name                       = "q"
  visibility_timeout_seconds = 77
}
module "m" {
  source = "./m"
  queue  = aws_sqs_queue.q
  list   = [aws_sqs_queue.q.visibility_timeout_seconds, "5"]
}
output "t" { value = module.m.t }
output "l" { value = module.m.l }
