#!/usr/bin/env bash
# Features are additive: `bp` must build without any, and with each of them alone.
# All of them together are what the other checks build.
set -euo pipefail
cd "$(dirname "$0")/.."

# Optional dependencies are named with `dep:`, so this table holds every feature.
features=$(awk '/^\[/ { table = $0 } table == "[features]" && /^[a-z]/ { print $1 }' bp/Cargo.toml)

for feature in "" $features; do
    echo "--- feature: ${feature:-none}"
    cargo clippy --quiet --locked -p bp --no-default-features --features "$feature" -- -D warnings
done
