# What the checks share. Sourced, not run.

# need COMMAND PACKAGE: installs the package where the command is missing.
need() {
    if command -v "$1" >/dev/null; then
        return
    fi
    echo "installing $2, since there is no $1 here"
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        as_root=(sudo)
    fi
    "${as_root[@]}" apt-get update -qq
    DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq "$2"
}

# has_nightly: says so where there is no nightly toolchain.
has_nightly() {
    cargo +nightly --version >/dev/null 2>&1 && return
    echo "NOT RUN: no nightly toolchain (rustup toolchain install nightly)"
    return 1
}

# expect_tests COMMAND..: runs it, and fails also where its filter let no test through.
expect_tests() {
    "$@" | awk '
        { print; fflush() }
        /^test result/ && !/ 0 passed; 0 failed/ { ran = 1 }
        END { if (!ran) { print "FAILED: no test ran"; exit 1 } }
    '
}
