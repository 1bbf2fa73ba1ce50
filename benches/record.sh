#!/usr/bin/env bash
# Measures the tables and the rivals, and records both in README.md and results/ of this
# directory; with real-time priority where that is allowed, so that other work disturbs less.
# `benches/record.sh bytes compare` does so for these only.
set -euo pipefail
cd "$(dirname "$0")/.."

export BP_RECORD=1
tables=$(sed -n 's|^path = "tables/\(.*\)\.rs"|\1|p' benches/Cargo.toml)
wanted=("$@")
if [ ${#wanted[@]} -eq 0 ]; then
    read -r -d '' -a wanted <<<"$tables compare" || true
fi

first=()
if chrt -r 50 true 2>/dev/null; then
    first=(chrt -r 50)
fi

# Nothing is built with that priority.
cargo bench -p bp-benches --no-run
for name in "${wanted[@]}"; do
    if [ "$name" = compare ]; then
        "${first[@]}" cargo run --profile bench -p bp-benches --bin compare
    else
        "${first[@]}" cargo bench -p bp-benches --bench "$name"
    fi
done
