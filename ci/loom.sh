#!/usr/bin/env bash
# Loom runs the models of the store through every interleaving of up to three preemptions.
# It swaps the atomics of the whole build, hence a target directory of its own.
set -euo pipefail
cd "$(dirname "$0")/.."
source ci/lib.sh

export RUSTFLAGS="--cfg loom"
export LOOM_MAX_PREEMPTIONS=${LOOM_MAX_PREEMPTIONS:-3}
export CARGO_TARGET_DIR=target/loom
expect_tests cargo test --locked -p bp --lib --profile loom models
