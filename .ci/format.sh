#!/usr/bin/env bash
# The format of all Rust code.
. "$(dirname "$0")/common.sh"
cargo fmt --all --check
for other in conformance conformance/no_std fuzz; do
    (cd "testing/$other" && cargo fmt --check)
done
