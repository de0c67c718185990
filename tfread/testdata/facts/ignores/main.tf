# vtsize:ignore VT302 until=2027-03-01 the function is being rewritten
resource "aws_sqs_queue" "q" {
  visibility_timeout_seconds = 30 # vtsize:ignore VT101 measured by hand
  # vtsize:ignore VT402,VT403 kept for audits
  message_retention_seconds = 60
}
// vtsize:ignore VT301
resource "aws_sqs_queue" "r" {} # vtsize:ignore queue wrong
# vtsize:ignore VT104 until=tomorrow soon
locals {}
locals {
  text    = "# vtsize:ignore VT301 no comment"
  heredoc = <<-EOT
    # vtsize:ignore VT301 no comment
  EOT
}
