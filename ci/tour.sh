#!/usr/bin/env bash
# The tour is what newcomers run first: it must agree with itself on this workspace,
# and meet a bad path with exit code 2.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo run --locked --quiet --release --example tour

status=0
cargo run --locked --quiet --release --example tour -- no/such/directory || status=$?
if [ "$status" -ne 2 ]; then
    echo "FAILED: a bad path gave exit code $status, not 2" >&2
    exit 1
fi
