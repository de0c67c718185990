#!/bin/sh
# Records anew what OpenTofu makes of the conformance cases. Builds OpenTofu and
# the stand-in provider first, into BUILD (a few minutes the first time).
#
#   tools/terraform/record.sh [CASE]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${BUILD:-${TMPDIR:-/tmp}/vtsize-tofu}
version=v1.12.6
mkdir -p "$build"
if [ ! -x "$build/tofu" ]; then
	cd "$build"
	# OpenTofu replaces one module, so it cannot be installed by name.
	printf 'module tofubuild\n\ngo 1.26.0\n\nreplace github.com/hashicorp/hcl/v2 v2.20.1 => github.com/opentofu/hcl/v2 v2.20.2-0.20251021132045-587d123c2828\n' >go.mod
	go get -tool "github.com/opentofu/opentofu/cmd/tofu@$version"
	CGO_ENABLED=0 go build -trimpath -ldflags="-s -w -X github.com/opentofu/opentofu/version.dev=no" -o tofu github.com/opentofu/opentofu/cmd/tofu
fi
cd "$here"
CGO_ENABLED=0 go build -o "$build/miniaws" ./miniaws
CGO_ENABLED=0 go build -o "$build/record" ./record
"$build/record" -tofu "$build/tofu" -provider "$build/miniaws" -only "${1:-}" "$here/../../tfread/testdata/conformance"
