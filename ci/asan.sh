#!/usr/bin/env bash
# AddressSanitizer watches the stress tests for use after free, overruns and leaks.
# It needs a nightly compiler; without one nothing is checked, and this says so.
set -euo pipefail
cd "$(dirname "$0")/.."
source ci/lib.sh

has_nightly || exit 0

# Naming the target keeps the sanitizer out of build scripts and macros.
target=$(rustc +nightly -vV | sed -n 's/^host: //p')
export RUSTFLAGS="-Zsanitizer=address"
export CARGO_TARGET_DIR=target/asan
expect_tests cargo +nightly test --locked --workspace --all-features --test integration \
    --target "$target" stress
