locals { m = { 1 = "a", "2" = "b" } }
output "a" { value = local.m[1] }
output "b" { value = local.m["2"] }
output "c" { value = keys(local.m) }
output "d" { value = { for i in range(3) : i => i * i } }
output "e" { value = { (join("-", ["x", "y"])) = 1, "z${1}" = 2 } }
