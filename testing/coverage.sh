#!/bin/sh
# Counts the lines, functions and branches that the tests run, for each crate and for the files below 95 % of their lines.
#
#     testing/coverage.sh                   # the whole workspace
#     testing/coverage.sh -p tabiya-rules   # one crate, or some
#     testing/coverage.sh --check           # rules and game; fails where they have less than .ci/coverage.py asks for
#     MISSED=1 testing/coverage.sh          # the lines that no test runs, too
#
# Tests in the sources are left out of the count, and documentation examples are not run. Release tiers and suites count if
# their variables are set, as in any test run. Everything is built into target/coverage, so other builds stay as they are.
#
# Needed: llvm-cov and llvm-profdata of the compiler's own LLVM version. The component of rustup has them (rustup component
# add llvm-tools), and so may Debian (llvm-22, for example); LLVM_BIN=/folder/with/both names others. The nightly compiler is
# used if it has them, because only it counts branches; with --check it has to have them if it is there. This script installs
# nothing.
set -eu
cd "$(dirname "$0")/.."
host=$(rustc -vV | sed -n 's/^host: //p')
tools() {
    component=$(rustc "$@" --print sysroot)/lib/rustlib/$host/bin
    debian=/usr/lib/llvm-$(rustc "$@" -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')/bin
    if [ -x "$component/llvm-cov" ]; then
        echo "${LLVM_BIN:-$component}"
    else
        echo "${LLVM_BIN:-$debian}"
    fi
}
toolchain=+nightly branches='-Z coverage-options=branch'
if ! rustc +nightly --version >/dev/null 2>&1; then
    toolchain='' branches=''
elif ! [ -x "$(tools +nightly)/llvm-cov" ]; then
    if [ "${1:-}" = --check ]; then
        echo "the nightly compiler has no llvm-cov to count branches with:" \
            "run 'rustup +nightly component add llvm-tools', or set LLVM_BIN" >&2
        exit 3
    fi
    toolchain='' branches=''
fi
# shellcheck disable=SC2086 # there may be no word for the toolchain
bin=$(tools $toolchain)
for tool in llvm-cov llvm-profdata; do
    if ! [ -x "$bin/$tool" ]; then
        echo "$tool is not there: run 'rustup component add llvm-tools', or set LLVM_BIN" \
            "to a folder that has LLVM $(rustc -vV | sed -n 's/^LLVM version: //p')" >&2
        exit 3
    fi
done

export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}/coverage"
export RUSTFLAGS="-C instrument-coverage $branches"
profiles=$CARGO_TARGET_DIR/profiles
rm -rf "$profiles"
mkdir -p "$profiles"
check=
if [ "${1:-}" = --check ]; then
    check=--check
    set -- -p tabiya-rules -p tabiya-game
fi
# Build scripts and macros are instrumented too, and must not leave their profiles about.
export LLVM_PROFILE_FILE="$profiles/%p-%m.profraw"

[ $# -gt 0 ] || set -- --workspace

# shellcheck disable=SC2086
cargo_() {
    cargo $toolchain "$@"
}
# Some tests run the examples, which only a plain `cargo test` would build by itself.
cargo_ build --all-features --examples --profile test "$@"
set -- --all-features --lib --bins --tests "$@"
cargo_ test --no-run --message-format=json "$@" >"$profiles/build"
sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' "$profiles/build" | sort -u >"$profiles/objects"
rm -f "$profiles"/*.profraw
cargo_ test --no-fail-fast "$@" >"$profiles/log" 2>&1 || {
    tail -n 40 "$profiles/log"
    exit 1
}
"$bin/llvm-profdata" merge -sparse "$profiles"/*.profraw -o "$profiles/all.profdata"

ignored='/\.cargo/|/rustc/|/rustlib/|/tests/|/tests\.rs$|/examples/|/target/'
while read -r object; do
    "$bin/llvm-cov" export -format=lcov -instr-profile "$profiles/all.profdata" \
        -ignore-filename-regex "$ignored" "$object" >"$profiles/$(basename "$object").lcov"
done <"$profiles/objects"
python3 .ci/coverage.py "$profiles"/*.lcov $check ${branches:+--branches} ${MISSED:+--missed}
