variable "on" { default = false }
resource "aws_sqs_queue" "q" { count = var.on ? 1 : 0 }
resource "aws_sqs_queue" "each" { for_each = {} }
module "m" {
  source = "./m"
  count  = 0
}
