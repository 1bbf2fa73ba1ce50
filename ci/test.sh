#!/usr/bin/env bash
# The one command of the README: unit, integration, UI and doc tests of every member.
# Arguments go through, as in `ci/test.sh guard`.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo test --locked --workspace --all-features "$@"
