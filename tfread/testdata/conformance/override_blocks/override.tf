resource "aws_sqs_queue" "q" { visibility_timeout_seconds = 90 }
module "m" { t = 2 }
