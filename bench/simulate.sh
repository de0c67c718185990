#!/usr/bin/env bash
# How fast package simulate is: the benchmarks of the package, the command line
# with its memory, the page's engine, and the same queue in SimPy where that is
# installed (Debian: apt-get install python3-simpy3).
set -euo pipefail
cd "$(dirname "$0")/.."

echo "== package simulate, one core"
go test ./simulate -run '^$' -bench 'Fleet|Replay' -benchtime 3x -cpu 1

echo "== the command line: 24 h at 40 messages/s, one replication, then five"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -trimpath -ldflags "-s -w" -o "$dir/vtsize" .
for replications in 1 5; do
  TIMEFORMAT="replications $replications: %R s, of CPU %U s"
  time "$dir/vtsize" simulate --rate 40/s --consumers 900 --latency p50=12s,p99=45s --visibility-timeout 30s \
    --for 24h --replications "$replications" | grep 'more than one effect'
done

echo "== more than a million messages in flight: peak memory"
peak=""
[ -x /usr/bin/time ] && peak="/usr/bin/time -f %MkB"
$peak "$dir/vtsize" simulate --rate 20000/s --consumers 120000 --batch 10 --prefetch 10 --concurrency 10 --latency exponential=60s \
  --visibility-timeout 10m --heartbeat 30s --in-flight-quota 2000000 --for 3m --replications 1 | grep -E 'in flight, peak'

echo "== SimPy, the same queue for 1 h"
python=""
for candidate in python3 /usr/bin/python3; do
  if "$candidate" -c 'import simpy' 2>/dev/null; then
    python=$candidate
    break
  fi
done
if [ -n "$python" ]; then
  "$python" bench/simulate_peer.py 1
else
  echo "not installed: apt-get install python3-simpy3"
fi
