#!/usr/bin/env bash
# Broken links and malformed examples in the documentation are errors.
# The pages of all features together, as a reader sees them.
set -euo pipefail
cd "$(dirname "$0")/.."

RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --no-deps --all-features
