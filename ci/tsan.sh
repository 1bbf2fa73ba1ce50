#!/usr/bin/env bash
# ThreadSanitizer watches stress tests for data races in the store, whose locks are ordinary ones
# here: it does not know what `membarrier` does.
# It needs a nightly compiler; without one nothing is checked, and this says so. The standard
# library comes without the sanitizer, which then misses what its locks and channels order. So a
# report counts where the innermost function of ours, in either thread, is one of the store.
set -euo pipefail
cd "$(dirname "$0")/.."
source ci/lib.sh

if ! cargo +nightly --version >/dev/null 2>&1; then
    echo "NOT RUN: no nightly toolchain (rustup toolchain install nightly)"
    exit 0
fi

target=$(rustc +nightly -vV | sed -n 's/^host: //p')
export RUSTFLAGS="-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer --cfg bp_no_membarrier"
export CARGO_TARGET_DIR=target/tsan
export TSAN_OPTIONS="exitcode=0"

tests=(
    threads::stress_few_threads
    threads::stress_handover
    threads::stress_every_operation_at_once
    threads::stress_trims_and_clears_while_in_use
    threads::stress_closing_while_in_use
    threads::stress_large_pools_grow_at_once
)
reports=$(mktemp)
trap 'rm "$reports"' EXIT
expect_tests cargo +nightly test --locked -p bp-tests --test integration --target "$target" -- \
    --test-threads=1 --exact "${tests[@]}" 2>"$reports"

awk '
    /^WARNING: ThreadSanitizer/ { report = $0; stack = 1; next }
    # What follows the two accesses is where memory and threads come from.
    stack && /^  (Location|Thread|Mutex|As if)/ { stack = 0 }
    stack { report = report "\n" $0 }
    stack && /^  [A-Z]/ { inner = 1 }
    stack && inner && /^    #/ && !/#[0-9]+ (<?[*&]*(core|alloc|std|bp_tests::allocations)::|<\[|_|[a-z]+ )/ {
        inner = 0
        if (/#[0-9]+ <*bp::store::/) { print report; found++; stack = 0 }
    }
    END { print found + 0 " data races in the store"; exit found > 0 }
' "$reports"
