module "app" {
  source = "./app"
  names  = ["a", "b"]
}

module "single" {
  source = "./worker"
  queue  = module.app.first
  name   = "single"
}
