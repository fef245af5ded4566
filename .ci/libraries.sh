#!/usr/bin/env bash
# The libraries as others use them: their examples, their public surface, rules without std, and perft to 10^8 nodes. It needs
# .ci/prepare.sh.
. "$(dirname "$0")/common.sh"

step 'examples'
cargo build --quiet --workspace --examples
cargo build --quiet -p tabiya-game --features serde --example server
.ci/examples.sh "$target/debug/examples"

step 'public surface'
docs/api/check.sh

step 'rules: the plain code path, without std'
cargo test --quiet -p tabiya-rules --no-default-features

step 'rules: release tier, perft to 10^8 nodes and all 960 starts'
TABIYA_RELEASE=1 TABIYA_PERFT_NODES=5000000 cargo test --release -p tabiya-rules --test it -- perft
