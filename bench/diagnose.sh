#!/usr/bin/env bash
# How fast logs are diagnosed, and in how much memory: the Go benchmark, then
# the command line on a log of a million messages, of which every tenth came
# twice. bench/diagnose.sh N takes another number of messages.
set -euo pipefail
cd "$(dirname "$0")/.."
messages=${1:-1000000}

echo "== package trace, one core: read, put together, summed up"
go test ./trace -run '^$' -bench Diagnose -benchtime 5x -cpu 1

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -trimpath -ldflags "-s -w" -o "$dir/vtsize" .
events=$(go run bench/events.go -messages "$messages" "$dir/log.jsonl")
gzip -1 -k "$dir/log.jsonl"
echo "== the command line: $messages messages, $events events, $(du -m "$dir/log.jsonl" | cut -f1) MB"
memory=""
[ -x /usr/bin/time ] && memory="/usr/bin/time -f %MkB"
measure() {
  TIMEFORMAT="$1: %R s, of CPU %U s"
  shift
  time $memory "$dir/vtsize" diagnose "$@" > "$dir/out"
}
for _ in 1 2 3; do
  measure "text" "$dir/log.jsonl" --show 0
done
measure "gzip" "$dir/log.jsonl.gz" --show 0
measure "JSON of all messages" "$dir/log.jsonl" --format json
