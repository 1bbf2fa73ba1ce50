#!/usr/bin/env bash
# ThreadSanitizer watches stress tests for data races in the store, whose locks are ordinary ones
# here: it does not know what `membarrier` does.
# It needs a nightly compiler; without one nothing is checked, and this says so. The standard
# library comes without the sanitizer, which then misses what its locks and channels order. So a
# report counts where the innermost function of ours, in either thread, is one of the store.
set -euo pipefail
cd "$(dirname "$0")/.."
source ci/lib.sh

has_nightly || exit 0

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
trap 'rm -f "$reports" "$reports.out"' EXIT
cargo +nightly test --locked -p bp-tests --test integration --target "$target" -- \
    --test-threads=1 --exact "${tests[@]}" 2>"$reports" | tee "$reports.out"
if ! grep -q "^test result: ok. ${#tests[@]} passed" "$reports.out"; then
    echo "FAILED: not all of these tests ran"
    exit 1
fi

# races: the reports of its input that count, and then how many those are; fails if there are any.
races() {
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
    '
}

# Were reports written in another form, none would ever count.
if races >/dev/null <<'REPORT'
WARNING: ThreadSanitizer: data race (pid=1)
  Write of size 8 at 0x720c00001830 by thread T2:
    #0 core::mem::replace::<bp::store::node::Spares<Pool>> /rustc/library/core/src/mem/mod.rs:930:22
    #1 <bp::store::shard::Locked<Pool>>::take_spares /bp/src/store/shard.rs:392:33
  Previous read of size 8 at 0x720c00001830 by thread T1:
    #0 free /rustc/llvm/compiler-rt/lib/tsan/rtl/tsan_interceptors_posix.cpp:735:3
REPORT
then
    echo "FAILED: a race would not be seen"
    exit 1
fi
races <"$reports"
