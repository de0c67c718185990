module "a" {
  source = "./m"
  in     = 5
}
module "b" {
  source = "./m"
  in     = module.a.out
}
output "b" { value = module.b.out }
