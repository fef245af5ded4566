#!/bin/sh
# Prints the benchmark's tables twice: for a plain build, as `cargo install`
# makes it, and for a build for the CPU of this machine. Options are passed on
# to the program (`--help` shows them).
set -eu
cd "$(dirname "$0")"
target="${CARGO_TARGET_DIR:-target}"
RUSTFLAGS='' CARGO_TARGET_DIR="$target/plain" cargo run --locked --quiet --release --bin bench -- "$@"
RUSTFLAGS='-C target-cpu=native' CARGO_TARGET_DIR="$target/native" cargo run --locked --quiet --release --bin bench -- "$@"
