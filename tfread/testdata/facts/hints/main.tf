module "orders" {
  source                     = "git::https://example.com/queue.git?ref=v1"
  name                       = "orders"
  visibility_timeout_seconds = 90
  fifo_queue                 = false
}
module "worker" {
  source        = "app.example.com/org/function/aws"
  version       = "1.0.0"
  function_name = "worker"
  handler       = "index.handler"
  timeout       = 120
}
module "mail" { source = "./../nowhere" }
module "dead" { source = "git::https://example.com/queue.git" }
resource "aws_lambda_event_source_mapping" "m" {
  event_source_arn = module.orders.queue_arn
  function_name    = module.worker.arn
}
resource "aws_lambda_event_source_mapping" "d" {
  event_source_arn = module.dead.sqs_queue_arn
  function_name    = module.worker.function_arn
}
resource "aws_lambda_event_source_mapping" "x" {
  event_source_arn = module.dead.thing
  function_name    = "f"
}
