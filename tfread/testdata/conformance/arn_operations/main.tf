resource "aws_sqs_queue" "a" { name = "a" }
resource "aws_sqs_queue" "b" { name = "b" }
locals {
  ARN  = aws_sqs_queue.a.arn
  ARN2 = aws_sqs_queue.b.arn
}
output "o00" { value = length(local.ARN) }
output "o01" { value = local.ARN != "" ? 1 : 0 }
output "o02" { value = local.ARN != null ? 1 : 0 }
output "o03" { value = local.ARN == "" ? 30 : 900 }
output "o04" { value = local.ARN == local.ARN }
output "o05" { value = local.ARN == "arn:aws:sqs:eu-west-1:1:dlq" }
output "o06" { value = split(":", local.ARN)[5] }
output "o07" { value = element(split(":", local.ARN), 5) }
output "o08" { value = length(split(":", local.ARN)) }
output "o09" { value = regex("[^:]+$", local.ARN) }
output "o10" { value = can(regex("^arn:aws:sqs", local.ARN)) }
output "o11" { value = try(regex("zzz", local.ARN), "no") }
output "o12" { value = can(tonumber(local.ARN)) }
output "o13" { value = startswith(local.ARN, "arn:") }
output "o14" { value = endswith(local.ARN, ".fifo") }
output "o15" { value = strcontains(local.ARN, "fifo") ? 1 : 0 }
output "o16" { value = one([local.ARN]) }
output "o17" { value = one(toset([local.ARN])) }
output "o18" { value = coalesce(local.ARN, "x") }
output "o19" { value = coalesce("", local.ARN) }
output "o20" { value = try(local.ARN, "x") }
output "o21" { value = compact([local.ARN, ""]) }
output "o22" { value = length(compact([local.ARN, ""])) }
output "o23" { value = length([local.ARN]) }
output "o24" { value = length(toset([local.ARN, local.ARN])) }
output "o25" { value = length(toset([local.ARN, local.ARN2])) }
output "o26" { value = length(distinct([local.ARN, "x"])) }
output "o27" { value = contains([local.ARN, local.ARN2], local.ARN) }
output "o28" { value = contains([local.ARN], "x") }
output "o29" { value = index([local.ARN, local.ARN2], local.ARN2) }
output "o30" { value = lookup({ (local.ARN) = 5 }, local.ARN, 7) }
output "o31" { value = { (local.ARN) = 5 }[local.ARN] }
output "o32" { value = keys({ (local.ARN) = 5 }) }
output "o33" { value = sort([local.ARN2, local.ARN]) }
output "o34" { value = join(",", [local.ARN, local.ARN2]) }
output "o35" { value = jsonencode({ a = local.ARN, n = 4 }) }
output "o36" { value = jsondecode(jsonencode({ a = local.ARN, n = 4 })).n }
output "o37" { value = jsondecode(jsonencode({ a = local.ARN, n = 4 })).a }
output "o38" { value = "pre-${local.ARN}" }
output "o39" { value = md5(local.ARN) }
output "o40" { value = substr(local.ARN, 0, 3) }
output "o41" { value = substr(md5(local.ARN), 0, 8) }
output "o42" { value = upper(local.ARN) }
output "o43" { value = replace(local.ARN, "arn:", "") }
output "o44" { value = format("%s|%d", local.ARN, 4) }
output "o45" { value = nonsensitive(sensitive(local.ARN)) }
output "o46" { value = nonsensitive(sensitive(5)) }
output "o47" { value = parseint(substr(md5(local.ARN), 0, 4), 16) % 10 }
output "o48" { value = tonumber(length(local.ARN) > 0 ? "5" : "6") }
output "o49" { value = local.ARN > 0 }
output "o50" { value = [for a in [local.ARN, local.ARN2] : a if a != ""] }
output "o51" { value = { for a in [local.ARN] : a => 1 } }
output "o52" { value = merge({ a = local.ARN }, { b = 2 }).b }
output "o53" { value = [local.ARN, "z"][1] }
output "o54" { value = local.ARN == local.ARN2 ? 1 : 2 }
output "o55" { value = local.ARN != "" && local.ARN2 != "" }
output "o56" { value = flatten([[local.ARN], []]) }
output "o57" { value = alltrue([local.ARN != ""]) }
output "o58" { value = max(3, length(local.ARN)) }
output "o59" { value = base64encode(local.ARN) }
output "o60" { value = trimprefix(local.ARN, "arn:aws:") }
output "o61" { value = regexall("a", local.ARN) }
output "o62" { value = title(local.ARN) }
output "o63" { value = zipmap([local.ARN], [1]) }
output "o64" { value = tolist([local.ARN])[0] }
output "o65" { value = timeadd("2020-01-01T00:00:00Z", "${length([local.ARN])}h") }
