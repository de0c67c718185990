module "q" {
  source  = "example/queue/aws"
  version = "1.0.0"
  timeout = 33
}
