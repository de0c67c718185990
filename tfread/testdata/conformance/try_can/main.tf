variable "o" { default = { a = { b = 5 } } }
output "v" { value = [try(var.o.a.b, 1), try(var.o.x.b, 2), try(var.o["x"], null, 3) == null, can(var.o.a), can(var.o.z), try(tonumber("x"), 7), try([][0], "empty"), can(regex("^a", "b"))] }
output "chain" { value = try(var.o.q.vt, try(var.o.d.vt, 30)) }
