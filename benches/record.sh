#!/usr/bin/env bash
# Measures the tables and the rivals, and records both in README.md and results/ of this
# directory; with priority where that is allowed, so that other work disturbs less.
# `benches/record.sh bytes compare` does so for these only.
set -euo pipefail
cd "$(dirname "$0")/.."

export BP_RECORD=1
tables=$(sed -n 's|^path = "tables/\(.*\)\.rs"|\1|p' benches/Cargo.toml)
wanted=("$@")
if [ ${#wanted[@]} -eq 0 ]; then
    read -r -d '' -a wanted <<<"$tables compare" || true
fi

# With real-time priority a thread keeps its core for as long as a run of `compare` lasts; there,
# threads that share a core must be stopped half-way. So that is for the tables only.
alone=()
shared=()
if chrt -r 50 true 2>/dev/null; then
    alone=(chrt -r 50)
    shared=(nice -n -20)
fi

# Nothing is built with that priority.
cargo bench -p bp-benches --no-run
for name in "${wanted[@]}"; do
    if [ "$name" = compare ]; then
        "${shared[@]}" cargo run --profile bench -p bp-benches --bin compare
    else
        "${alone[@]}" cargo bench -p bp-benches --bench "$name"
    fi
done
