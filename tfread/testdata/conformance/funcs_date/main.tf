output "v" { value = [formatdate("DD MMM YYYY hh:mm ZZZ", "2024-02-03T04:05:06Z"), timeadd("2024-01-31T00:00:00Z", "24h"), timecmp("2024-01-01T00:00:00Z", "2023-01-01T00:00:00Z")] }
output "c" { value = [cidrhost("10.1.0.0/16", -2), cidrnetmask("10.0.0.0/12"), cidrsubnet("10.0.0.0/8", 4, 3), cidrsubnets("10.0.0.0/8", 4, 4, 8), cidrcontains("10.0.0.0/8", "10.2.0.0/16"), cidrhost("fd00::/8", 5)] }
output "p" { value = [basename("a/b/"), dirname("a/b/c"), dirname("a")] }
