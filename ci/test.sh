#!/usr/bin/env bash
# The one command of the README: unit, integration, UI and doc tests of every member.
# Arguments go through, as in `ci/test.sh guard`.
set -euo pipefail
cd "$(dirname "$0")/.."
source ci/lib.sh

# Where it is missing, the tests of its client would only say that they were not run.
need memcached memcached
export BP_NEED_MEMCACHED=1

# Some tests run the examples, which Cargo leaves out where a test is named.
cargo build --locked --workspace --all-features --examples
cargo test --locked --workspace --all-features "$@"
