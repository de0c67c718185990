output "v" { value = [abs(-2.5), ceil(1.1), floor(-1.1), log(100, 10), pow(2, 0.5) > 1.41, signum(0), parseint("-12", 10), max(1, 2), min(3, "2"), 7 / 2, 2.5 * 2, 1e3, 0.1 + 0.2 == 0.3] }
output "s" { value = "${1000000} ${1.0} ${1e-7} ${100000000000000000000000}" }
output "j" { value = jsonencode([1, 1.50, 1e30, -0.25]) }
