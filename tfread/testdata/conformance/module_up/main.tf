module "m" {
  source = "./envs/prod"
}
output "t" { value = module.m.t }
