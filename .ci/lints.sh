#!/usr/bin/env bash
# Lints and documentation without a warning, the form of the workflows, the lines of code, and the age of the rows of
# docs/reliability.md. It needs .ci/prepare.sh.
. "$(dirname "$0")/common.sh"

step 'lints'
cargo clippy --workspace --all-targets --all-features --quiet -- -D warnings
cargo clippy -p tabiya-rules --no-default-features --quiet -- -D warnings
cargo clippy -p tabiya --no-default-features --quiet -- -D warnings

step 'documentation'
RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps --all-features --quiet

step 'workflows'
target/python/bin/python -m check_jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml

step 'lines of code'
python3 .ci/lines.py

step 'rows of docs/reliability.md that are older than what they test'
cargo run --quiet -p stress -- --check docs/reliability.md
