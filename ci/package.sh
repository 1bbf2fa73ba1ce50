#!/usr/bin/env bash
# What users would download: both crates packed, each built from its package alone, and nothing
# in it but sources, README, licences and what Cargo adds.
set -euo pipefail
cd "$(dirname "$0")/.."

crates=(bp-derive bp)
for crate in "${crates[@]}"; do
    shipped=$(cargo package --quiet --locked --allow-dirty --list -p "$crate")
    printf '%s ships:\n%s\n\n' "$crate" "$shipped"
    for file in README.md LICENSE-APACHE LICENSE-MIT src/lib.rs; do
        if ! grep -qx "$file" <<<"$shipped"; then
            echo "FAILED: $crate ships no $file" >&2
            exit 1
        fi
    done
    if grep -vxE 'src/.*\.rs|README\.md|LICENSE-(APACHE|MIT)|Cargo\.(toml|toml\.orig|lock)|\.cargo_vcs_info\.json' <<<"$shipped"; then
        echo "FAILED: users of $crate have no use for these" >&2
        exit 1
    fi
done

# Together, since `bp` needs a `bp-derive` that no registry has yet. Cargo could build them too, but
# may take for `bp-derive` what it unpacked at an earlier run: the version is the same.
packed=$(mktemp -d)
trap 'rm -r "$packed"' EXIT
cargo package --locked --allow-dirty --no-verify --target-dir "$packed" "${crates[@]/#/-p}"

for crate in "${crates[@]}"; do
    mkdir "$packed/$crate"
    tar -xzf "$packed/package/$crate"-[0-9]*.crate -C "$packed/$crate" --strip-components=1
done
for crate in "${crates[@]}"; do
    cargo build --all-features --manifest-path "$packed/$crate/Cargo.toml" \
        --config "patch.crates-io.bp-derive.path='$packed/bp-derive'" \
        --target-dir target/packed
done
