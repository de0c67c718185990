module "invoices" {
  source = "./modules/worker"

  name             = "invoices"
  function_timeout = 120
}

module "reminders" {
  source = "./modules/worker"

  name               = "reminders"
  function_timeout   = 30
  visibility_timeout = 200
  partial_responses  = true
}
