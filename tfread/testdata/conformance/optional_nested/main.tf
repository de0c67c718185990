variable "q" {
  type = map(object({
    timeout = optional(number, 30)
    lambda  = optional(object({ timeout = optional(number, 60), batch = optional(number) }), {})
    dlq     = optional(object({ max = optional(number, 3) }))
    extra   = optional(any)
  }))
  default = {
    a = {}
    b = { timeout = null, lambda = { timeout = 5 }, dlq = {} }
    c = { lambda = null }
  }
}
output "a" { value = var.q.a }
output "b" { value = var.q["b"] }
output "c" { value = var.q["c"].lambda.timeout }
output "six" { value = { for k, v in var.q : k => 6 * v.lambda.timeout } }
