#!/bin/sh
# Measures vtsize on generated Terraform, beside tflint where that is installed:
#
#   bench/terraform.sh VTSIZE [DIR]
#
# VTSIZE is the binary; DIR (made if it is not there) keeps the generated trees.
# Prints wall time, processor time and peak memory of each run.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
vtsize=${1:?usage: bench/terraform.sh VTSIZE [DIR]}
dir=${2:-${TMPDIR:-/tmp}/vtsize-bench}
mkdir -p "$dir"
for n in 1 1000 10000; do
	[ -d "$dir/roots-$n" ] || go run "$here/tftree.go" -roots "$n" "$dir/roots-$n"
done
[ -f "$dir/plan.json" ] || go run "$here/tftree.go" -plan 50 "$dir/plan.json"

measure() {
	label=$1
	shift
	# Findings give exit status 1; only what cannot run at all is a failure here.
	/usr/bin/time -f "%e s wall, %U s user, %S s system, %M KB" -o "$dir/time.txt" "$@" >"$dir/out.txt" 2>&1 || [ $? -le 3 ]
	printf '%-34s %s\n' "$label" "$(tail -n 1 "$dir/time.txt")"
}

measure "vtsize, one small module" "$vtsize" check --recursive "$dir/roots-1"
measure "vtsize, 1,000 root modules" "$vtsize" check --recursive "$dir/roots-1000"
measure "vtsize, 10,000 root modules" "$vtsize" check --recursive "$dir/roots-10000"
measure "vtsize, plan of 50 MB" "$vtsize" check "$dir/plan.json"
if command -v tflint >/dev/null; then
	measure "tflint, one small module" tflint --recursive --chdir "$dir/roots-1"
	measure "tflint, 1,000 root modules" tflint --recursive --chdir "$dir/roots-1000"
else
	echo "tflint is not installed: go install github.com/terraform-linters/tflint@v0.64.0"
fi
