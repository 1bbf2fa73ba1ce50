#!/usr/bin/env bash
# Instructions of the hot paths, counted by callgrind, are at most 3 % above the committed counts:
# a regression fails here without anything being timed. They depend on the compiler. With another
# one than the counts are for, this says so and passes.
# `ci/instructions.sh --update` commits to what it counts.
set -euo pipefail
cd "$(dirname "$0")/.."
source ci/lib.sh

counts=benches/instructions/counts.txt
tolerance=3
# Two runs that differ in nothing but how often they take the path.
few=1000
many=11000

compiler=$(rustc --version)
host=$(rustc -vV | sed -n 's/^host: //p')
origin="# $compiler, $host"
committed=$(head -n 1 "$counts" 2>/dev/null || true)
if [ "${1:-}" != --update ] && [ "$committed" != "$origin" ]; then
    echo "NOT RUN: the counts are for another compiler"
    echo "  committed: $committed"
    echo "  here:      $origin"
    echo "  ci/instructions.sh --update counts with this one"
    exit 0
fi

need valgrind valgrind
cargo build --quiet --release -p bp-benches --bin instructions
binary=$(cargo metadata --format-version 1 --no-deps |
    sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/release/instructions

# instructions PATH TIMES
instructions() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$binary" "$1" "$2" 2>&1 |
        sed -n 's/.*Collected : \([0-9]*\)$/\1/p'
}

measured=$(mktemp)
trap 'rm "$measured"' EXIT
echo "$origin" >"$measured"
for path in $("$binary" --list); do
    before=$(instructions "$path" $few)
    after=$(instructions "$path" $many)
    awk -v path="$path" -v before="$before" -v after="$after" -v times=$((many - few)) \
        'BEGIN { printf "%s %.1f\n", path, (after - before) / times }' >>"$measured"
done

if [ "${1:-}" = --update ]; then
    cp "$measured" "$counts"
    cat "$counts"
    exit 0
fi

awk -v tolerance=$tolerance '
    /^#/ { next }
    NR == FNR { committed[$1] = $2; next }
    {
        was = committed[$1]
        delete committed[$1]
        if (was == "") { verdict = "FAILED: has no committed count"; failed = 1 }
        else if ($2 > was * (1 + tolerance / 100)) { verdict = "FAILED: more than " was; failed = 1 }
        else if ($2 < was * (1 - tolerance / 100)) {
            verdict = "ok, less than " was ": hold on to it with ci/instructions.sh --update"
        }
        else verdict = "ok, " was " committed"
        printf "%-24s %8.1f  %s\n", $1, $2, verdict
    }
    END {
        for (path in committed) { print path ": FAILED: is no longer counted"; failed = 1 }
        exit failed
    }
' "$counts" "$measured"
