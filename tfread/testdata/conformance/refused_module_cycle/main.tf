module "a" {
  source = "./m"
  in     = module.b.out
}
module "b" {
  source = "./m"
  in     = module.a.out
}
resource "aws_sqs_queue" "q" { visibility_timeout_seconds = module.a.out }
