#!/usr/bin/env bash
# What to run before a commit: format, lints, and the tests of the crates that differ from the branch main, or from the last
# commit where that is main. Needs nothing but a Rust toolchain.
. "$(dirname "$0")/common.sh"

step 'format'
.ci/format.sh

step 'lints'
cargo clippy --workspace --all-targets --all-features --quiet -- -D warnings

base=$(git merge-base main HEAD 2>/dev/null || true)
[ -n "$base" ] && [ "$base" != "$(git rev-parse HEAD)" ] || base=HEAD~1
packages=()
while read -r folder; do
    packages+=(-p "$(sed -n 's/^name = "\(.*\)"$/\1/p' "$folder/Cargo.toml" | head -1)")
done < <({ git diff --name-only "$base"; git ls-files --others --exclude-standard; } |
    sed -n 's#^\(crates/[^/]*\|testing/\(properties\|stress\|suites\)\|training\)/.*#\1#p' | sort -u)
if [ ${#packages[@]} = 0 ]; then
    echo 'no crate has changed'
else
    step "tests: ${packages[*]}"
    cargo test --quiet "${packages[@]}"
fi
step 'done'
