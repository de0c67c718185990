locals { timeout = { default = 30, prod = 900 } }
resource "aws_sqs_queue" "q" {
  name                       = "${terraform.workspace}-jobs"
  visibility_timeout_seconds = lookup(local.timeout, terraform.workspace, 60)
}
