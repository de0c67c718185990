module "m" { source = "./sub/m" }
output "root" { value = path.root }
output "module" { value = module.m.path }
output "self" { value = path.module }
output "read" { value = module.m.text }
output "cwd" { value = path.cwd == abspath(".") }
output "exists" { value = fileexists("${path.module}/main.tf") }
output "set" { value = fileset(path.module, "{sub/**/*.txt,*.txt}") }
output "star" { value = fileset(path.module, "sub/*/*.json") }
output "json" { value = jsondecode(file("${path.module}/conf.json")).queues[0].timeout }
output "yaml" { value = yamldecode(file("conf.yaml"))["queues"]["a"] }
