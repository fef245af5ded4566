#!/bin/sh
# Reports how many lines the tests run, for each crate and for the files below 95 %.
#
#     ./coverage.sh                    # the whole workspace
#     ./coverage.sh -p tabiya-rules    # one crate, or some
#     MISSED=1 ./coverage.sh           # the lines that no test runs, too
#
# Tests in the sources are left out of the count, and so are documentation examples, which stable
# Rust cannot measure. Release tiers and suites count if their variables are set, as in any test
# run. Everything is built into target/coverage, so other builds stay as they are.
#
# Needed: llvm-cov and llvm-profdata of the compiler's own LLVM version. The component of rustup has
# them (rustup component add llvm-tools); LLVM_BIN=/folder/with/both names others. This script
# installs nothing.
set -eu
cd "$(dirname "$0")"
host=$(rustc -vV | sed -n 's/^host: //p')
bin=${LLVM_BIN:-$(rustc --print sysroot)/lib/rustlib/$host/bin}
for tool in llvm-cov llvm-profdata; do
    if ! [ -x "$bin/$tool" ]; then
        echo "$tool is not in $bin: run 'rustup component add llvm-tools', or set LLVM_BIN" \
            "to a folder that has LLVM $(rustc -vV | sed -n 's/^LLVM version: //p')" >&2
        exit 3
    fi
done

export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}/coverage"
export RUSTFLAGS="-C instrument-coverage"
profiles=$CARGO_TARGET_DIR/profiles
rm -rf "$profiles"
mkdir -p "$profiles"
[ $# -gt 0 ] || set -- --workspace
# Build scripts and macros are instrumented too, and must not leave their profiles about.
export LLVM_PROFILE_FILE="$profiles/%p-%m.profraw"

# Some tests run the examples, which only a plain `cargo test` would build by itself.
cargo build --all-features --examples --profile test "$@"
set -- --all-features --lib --bins --tests "$@"
cargo test --no-run --message-format=json "$@" >"$profiles/build"
sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' "$profiles/build" | sort -u >"$profiles/objects"
rm -f "$profiles"/*.profraw
cargo test --no-fail-fast "$@" >"$profiles/log" 2>&1 || {
    tail -n 40 "$profiles/log"
    exit 1
}
"$bin/llvm-profdata" merge -sparse "$profiles"/*.profraw -o "$profiles/all.profdata"

objects=$(sed 's/^/-object /' "$profiles/objects")
ignored='/\.cargo/|/rustc/|/rustlib/|/tests/|/tests\.rs$|/examples/|/target/'
# shellcheck disable=SC2086 # the list of objects is meant to be split
"$bin/llvm-cov" export -format=lcov -instr-profile "$profiles/all.profdata" \
    -ignore-filename-regex "$ignored" $objects >"$profiles/lcov"

awk -v root="$PWD/" -v missed="${MISSED:-}" '
    /^SF:/ { file = substr($0, 4); sub(root, "", file); crate = file; sub("/src/.*", "", crate) }
    /^DA:/ && missed != "" { split(substr($0, 4), at, ","); if (at[2] == 0) print file ":" at[1] }
    /^LF:/ { found[crate] += substr($0, 4); lines = substr($0, 4) }
    /^LH:/ {
        hit[crate] += substr($0, 4)
        if (lines > 0 && substr($0, 4) / lines < 0.95)
            printf "    %6.2f %%  %s (%d of %d lines)\n", 100 * substr($0, 4) / lines, file, substr($0, 4), lines
    }
    END {
        for (crate in found)
            printf "%6.2f %%  %s (%d of %d lines)\n", 100 * hit[crate] / found[crate], crate, hit[crate], found[crate]
    }
' "$profiles/lcov"
