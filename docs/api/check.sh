#!/usr/bin/env bash
# Compares the public surface of the libraries with docs/api/*.txt, so that a change of surface is always seen.
#
#     docs/api/check.sh            fails and shows the lines that differ
#     docs/api/check.sh --write    writes the files anew; the difference belongs into the commit
set -euo pipefail
cd "$(dirname "$0")/../.."
crates=(rules game uci openings svg store db engine play train serve)
packages=()
for crate in "${crates[@]}"; do
    packages+=(-p "tabiya-$crate")
done
RUSTDOC=$PWD/docs/api/rustdoc.sh RUSTDOCFLAGS='-Z unstable-options --output-format json' \
    cargo doc --quiet --no-deps --all-features --lib "${packages[@]}"
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
differ=0
for crate in "${crates[@]}"; do
    python3 docs/api/list.py "${CARGO_TARGET_DIR:-target}/doc/tabiya_$crate.json" >"$made/$crate.txt"
    if [ "${1:-}" = --write ]; then
        cp "$made/$crate.txt" "docs/api/$crate.txt"
    elif ! diff -u "docs/api/$crate.txt" "$made/$crate.txt"; then
        differ=1
    fi
done
if [ "$differ" = 1 ]; then
    echo 'the public surface changed: if that is meant, run docs/api/check.sh --write and commit what it writes' >&2
    exit 1
fi
