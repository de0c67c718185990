locals {
  q = [{ n = "a", t = 30, tags = ["x", "y"] }, { n = "b", t = 60, tags = [] }, { n = "c", t = 30, tags = ["x"] }]
}
output "by_name" { value = { for q in local.q : q.n => q.t } }
output "group" { value = { for q in local.q : q.t => q.n... } }
output "flat" { value = flatten([for q in local.q : [for t in q.tags : "${q.n}-${t}"]]) }
output "filter" { value = [for i, q in local.q : i if q.t > 30] }
output "keyed" { value = { for i, q in local.q : "${i}" => upper(q.n) } }
output "from_map" { value = [for k, v in { z = 1, a = 2 } : "${k}${v}"] }
output "set" { value = [for x in toset(["b", "a"]) : x] }
output "nested" { value = { for p in setproduct(["a", "b"], [1, 2]) : "${p[0]}${p[1]}" => p[1] } }
