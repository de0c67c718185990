output "a" { value = [format("%-5s|%5d|%05.1f|%x|%t|%%", "a", 3, 2.25, 255, true), format("%s", null == null), formatlist("%s/%s", "p", ["a", "b"])] }
output "b" { value = [join("-", ["a", "b"], ["c"]), split("", "abc"), substr("hello", 1, 3), title("a bc"), trim("xxaxx", "x"), trimprefix("aab", "a"), strrev("ab"), indent(2, "a\nb"), chomp("a\n"), upper("a"), lower("B")] }
output "c" { value = [regex("([a-z]+)-(\\d+)", "ab-12"), regexall("\\d", "a1b2"), regex("(?P<k>\\w+)=(?P<v>\\w+)", "a=b"), replace("hello", "/l+/", "L"), replace("a+b", "+", "-"), replace("ab", "/(a)(b)/", "$2$1")] }
output "d" { value = [startswith("ab", "a"), endswith("ab", "a"), strcontains("abc", "bc"), length("añb"), coalesce("", "x"), tostring(5), format("%v", { a = 1 }), format("%s", 3.0), format("%d", 3)] }
