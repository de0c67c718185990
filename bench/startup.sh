#!/bin/sh
# Times whole processes: how long a user waits for --version, calc and a small
# check, and how large the binary is. Needs hyperfine (Debian: hyperfine).
#
#   bench/startup.sh
set -eu
cd "$(dirname "$0")/.."
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o "$bin/vtsize" .
ls -l "$bin/vtsize" | awk '{printf "binary: %.1f MB\n", $5 / 1e6}'
hyperfine --warmup 5 --runs 50 --shell none --style basic --ignore-failure \
	"$bin/vtsize --version" \
	"$bin/vtsize calc --p99 45s --sdk openai-python --visibility-timeout 30s" \
	"$bin/vtsize audit --queue orders --demo" \
	"$bin/vtsize check testdata/terraform/incident"
