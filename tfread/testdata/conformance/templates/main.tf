variable "qs" { default = [{ n = "a", t = 30 }, { n = "b", t = 60 }] }
output "loop" { value = "%{for q in var.qs}${q.n}=${q.t};%{endfor}" }
output "if" { value = "%{if length(var.qs) > 1}many%{else}one%{endif}" }
output "strip" {
  value = <<-EOT
  %{~for q in var.qs~}
    ${q.n}
  %{~endfor~}
  end
  EOT
}
output "file" { value = templatefile("${path.module}/t.tftpl", { qs = var.qs, title = "T" }) }
output "json" { value = jsondecode(templatefile("p.json.tpl", { n = 5, arn = "x" })).maxReceiveCount }
output "esc" { value = "$${a} %%{b}" }
output "wrap" { value = "${5}" + 1 }
output "conv" { value = "${1.5}-${true}" }
output "heredoc" {
  value = <<EOT
a
  b
EOT
}
