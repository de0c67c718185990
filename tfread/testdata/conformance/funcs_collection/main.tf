output "a" { value = [chunklist([1, 2, 3], 2), coalescelist([], [1]), compact(["", "a"]), concat([1], ["a"]), contains(["a"], "a"), distinct([1, 1, 2]), element([1, 2], 3), flatten([[1], [[2]]]), index([1, 2], 2), keys({ b = 1, a = 2 })] }
output "b" { value = [length({ a = 1 }), lookup({ a = 1 }, "z", 9), matchkeys(["a", "b"], [1, 2], [2]), merge({ a = 1 }, { a = 2, b = 3 }), one([5]), range(3), range(1, 4), reverse([1, 2]), setproduct([1], ["a", "b"])] }
output "c" { value = [slice(["a", "b", "c"], 1, 3), sort(["b", "a"]), sum([1, 2.5]), transpose({ a = ["x", "y"], b = ["x"] }), values({ b = 1, a = 2 }), zipmap(["a", "b"], [1, 2]), alltrue([]), anytrue([false, "true"])] }
output "d" { value = [setintersection(["a", "b"], ["b"]), setsubtract(["a", "b"], ["b"]), setunion(["a"], ["b"]), tolist(toset([2, 1])), tomap({ a = 1 }), toset(["a", "a"])] }
output "nullmerge" { value = merge(null, { a = 1 }) }
output "deep" { value = merge({ a = { x = 1 } }, { a = { y = 2 } }) }
output "mixed" { value = [for x in concat(["a"], [1]) : x] }
