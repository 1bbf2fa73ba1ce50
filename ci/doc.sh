#!/usr/bin/env bash
# Broken links and malformed examples in the documentation are errors.
# The pages of all features together, as a reader sees them.
set -euo pipefail
cd "$(dirname "$0")/.."
source ci/lib.sh

RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --no-deps --all-features

# Once more as docs.rs does it, which marks what a feature brings. Its compiler's warnings change.
has_nightly || exit 0
RUSTDOCFLAGS="--cfg docsrs" CARGO_TARGET_DIR=target/docsrs \
    cargo +nightly doc --locked -p bp --no-deps --all-features
