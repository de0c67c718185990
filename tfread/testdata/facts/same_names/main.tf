module "a" { source = "./m" }
module "b" { source = "./m" }
resource "aws_lambda_event_source_mapping" "ambiguous" {
  event_source_arn = "arn:aws:sqs:eu-west-1:123456789012:same"
  function_name    = "same-worker"
}
