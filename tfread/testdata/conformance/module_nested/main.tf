module "a" {
  source = "./a"
  conf   = { t = 7, names = ["x", "y"] }
}
output "deep" { value = module.a.deep }
output "all" { value = module.a.all }
