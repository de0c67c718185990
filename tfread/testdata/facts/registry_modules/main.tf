module "orders" {
  source                     = "terraform-aws-modules/sqs/aws"
  version                    = "~> 4.2"
  name                       = "orders"
  visibility_timeout_seconds = 30
  create_dlq                 = true
  redrive_policy             = { maxReceiveCount = 7 }
}
module "old" {
  source  = "terraform-aws-modules/sqs/aws"
  version = "2.1.0"
  name    = "old"
}
module "worker" {
  source        = "terraform-aws-modules/lambda/aws"
  version       = ">= 6.0, < 8.0"
  function_name = "worker"
  timeout       = 60
  event_source_mapping = {
    orders = {
      event_source_arn        = module.orders.queue_arn
      batch_size              = 20
      function_response_types = ["ReportBatchItemFailures"]
      scaling_config          = { maximum_concurrency = 8 }
    }
  }
}
module "future" {
  source  = "terraform-aws-modules/sqs/aws"
  version = "99.0.0"
}
resource "aws_lambda_event_source_mapping" "old" {
  event_source_arn = module.old.this_sqs_queue_arn
  function_name    = module.worker.lambda_function_name
}
