#!/usr/bin/env bash
# All code is laid out by rustfmt, so that no review is about layout.
# `cargo fmt --all` repairs what this finds.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo fmt --all --check
