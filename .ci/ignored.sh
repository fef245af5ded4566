#!/usr/bin/env bash
# The tests that `cargo test` ignores: they need what .ci/prepare.sh installs, and some of them a folder of suites, which
# TABIYA_SUITES names.
. "$(dirname "$0")/common.sh"
[ -n "${TABIYA_SUITES:-}" ] && others=() || others=(--skip outside::)
cargo test --workspace --tests --quiet -- --ignored "${others[@]}"
