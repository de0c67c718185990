variable "secret" {
  default   = 5
  sensitive = true
}
output "plain" { value = nonsensitive(var.secret) + 1 }
output "is" { value = issensitive(var.secret) }
output "isnot" { value = issensitive(5) }
resource "aws_sqs_queue" "q" { name = nonsensitive("q-${var.secret}") }
output "len" { value = length([var.secret]) }
