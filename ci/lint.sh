#!/usr/bin/env bash
# Warnings are errors here and nowhere else: the manifests only warn, so that work in progress
# builds. `--locked` finds a Cargo.lock that was not committed with its manifest.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo clippy --locked --workspace --all-targets --all-features -- -D warnings
cargo clippy --locked -p bp --no-default-features -- -D warnings
