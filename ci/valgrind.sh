#!/usr/bin/env bash
# Valgrind watches the stress tests of the ordinary build: uninitialised reads and lost memory.
# It runs one thread at a time, in an order of its own.
set -euo pipefail
cd "$(dirname "$0")/.."
source ci/lib.sh

need valgrind valgrind
# Only what nothing points to is lost for certain; the test harness keeps a block by an inner pointer.
valgrind="'valgrind', '--quiet', '--error-exitcode=1', '--leak-check=full',
    '--show-leak-kinds=definite', '--errors-for-leak-kinds=definite'"
# The same selection as in ci/test.sh, so that nothing is built twice.
expect_tests cargo test --locked --workspace --all-features --test integration \
    --config "target.'cfg(unix)'.runner = [$valgrind]" stress
