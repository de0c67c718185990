module "app" { source = "./app" }
