output "v" { value = ["a\tb", "q\"q", "\u00e9", "line\nbreak", "back\\slash", "é"] }
output "h" {
  value = <<-EOT
    indented
      more
    ${"interp"}
  EOT
}
output "len" { value = length("\U0001F44D") }
output "cmp" { value = "e\u0301" == "é" }
