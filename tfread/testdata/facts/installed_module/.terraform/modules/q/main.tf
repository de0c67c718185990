variable "timeout" {}
module "inner" {
  source  = "example/inner/aws"
  timeout = var.timeout
}
