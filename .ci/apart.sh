#!/usr/bin/env bash
# Checks what has its own toolchain or target folder: the libraries with the oldest Rust they name, a program without the
# standard library, agreement with other libraries; and builds the fuzz targets. It shares no compiled crate with the
# workspace, so it can run beside it.
#
#     .ci/apart.sh
. "$(dirname "$0")/common.sh"

step 'the oldest Rust that each library names'
.ci/oldest_rust.sh

step 'rules: a program without the standard library'
(cd testing/conformance/no_std && cargo run --locked --quiet --release)

step 'agreement with other libraries'
(
    cd testing/conformance
    cargo clippy --locked --all-targets --quiet -- -D warnings
    cargo test --locked --quiet --release
    cargo run --locked --quiet --release --bin agree -- --positions 200000
)

step 'fuzz targets'
if rustc +nightly --version >/dev/null 2>&1; then
    testing/fuzz/run.sh --build
else
    echo 'no nightly toolchain: the fuzz targets were not built'
fi

step 'done'
