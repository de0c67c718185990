module "q" {
  source = "../../modules/q"
  t      = 8
}
output "t" { value = module.q.t }
