#!/bin/sh
# Builds the fuzz targets with the nightly compiler and runs each for a number of seconds (60
# unless told otherwise). Fails at the first input that breaks a property; that input is then in
# testing/fuzz/artifacts/, and once the fault is mended it belongs into testing/fuzz/corpus/<target>/ under a name
# that says what it shows, where `cargo test` replays it.
#
#     testing/fuzz/run.sh 300
#     testing/fuzz/run.sh --build    only builds them
#
# With FUZZ_SEED set, each run mutates in the same order, so that a check of a change fails for what the change did.
#
# Needed: a nightly toolchain (rustup toolchain install nightly) and a C++ compiler; not cargo-fuzz,
# whose flags are given here.
set -eu
seconds=${1:-60}
cd "$(dirname "$0")"
host=$(rustc +nightly -vV | sed -n 's/^host: //p')

# Coverage counters, comparisons as hints for the fuzzer, and the address sanitizer. Naming the
# target keeps these flags away from build scripts.
RUSTFLAGS="--cfg fuzzing \
-Cpasses=sancov-module \
-Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
-Cllvm-args=-sanitizer-coverage-pc-table \
-Cllvm-args=-sanitizer-coverage-trace-compares \
-Zsanitizer=address" cargo +nightly build --release --target "$host"
[ "$seconds" != --build ] || exit 0

# The targets are the source files; each is tried by this shell text, as many at a time as there are
# processors.
try='
    target=$1
    mkdir -p "found/$target" "corpus/$target"
    log=found/$target.log
    # As long as the longest input that must be no trouble; the others do so much with each that they take less.
    case $target in
        epd | fen | san | uci_move | uci_reply | save_file) longest=65536 ;;
        *) longest=1024 ;;
    esac
    if "$binaries/$target" "found/$target" "corpus/$target" \
        -artifact_prefix="artifacts/$target-" -max_total_time="$seconds" -max_len="$longest" \
        -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 -seed="$seed" >"$log" 2>&1; then
        runs=$(sed -n "s/^stat::number_of_executed_units: *//p" "$log")
        echo "$target: $runs inputs in $seconds seconds, none breaks a property"
    else
        grep -v "# Uses:" "$log" | tail -n 60
        echo "$target: an input breaks a property, see testing/fuzz/artifacts/" >&2
        exit 255
    fi'
mkdir -p artifacts found
export seconds seed="${FUZZ_SEED:-0}" binaries="${CARGO_TARGET_DIR:-target}/$host/release"
for source in fuzz_targets/*.rs; do
    basename "$source" .rs
done | xargs -n 1 -P "$(nproc)" sh -c "$try" try
