#!/usr/bin/env bash
# The tests that `cargo test` ignores: they need what .ci/prepare.sh installs, and some of them a folder of suites, which
# TABIYA_SUITES names. One of half an hour is left out: cargo test -p tabiya-play --release -- --ignored full_strength
. "$(dirname "$0")/common.sh"
[ -n "${TABIYA_SUITES:-}" ] && others=(--skip full_strength) || others=(--skip full_strength --skip outside::)
cargo test --workspace --tests --quiet -- --ignored "${others[@]}"
