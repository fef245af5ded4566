#!/usr/bin/env bash
# The packages: those for crates.io, each unpacked and checked as a crate of its own with the others as its only source of what
# they are, so that nothing is missing in it; and the one for Debian. It needs the release binary.
. "$(dirname "$0")/common.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

names=() packages=()
for name in tabiya-{rules,game,uci,openings,svg,store,db,engine,play,train,serve,import,front,line,screen,tools} tabiya; do
    names+=("$name")
    packages+=(-p "$name")
done
step 'packages for crates.io'
cargo package --quiet --allow-dirty --no-verify "${packages[@]}"
version=$("$target/release/tabiya" --version | cut -d' ' -f2)
for name in "${names[@]}"; do
    tar -xzf "$target/package/$name-$version.crate" -C "$scratch"
done
{
    printf '[workspace]\nmembers = ["*"]\nresolver = "3"\n\n[patch.crates-io]\n'
    for name in "${names[@]}"; do
        printf '%s = { path = "%s-%s" }\n' "$name" "$name" "$version"
    done
    # With the profiles of the workspace, what the lints have read of other crates is taken as it is.
    printf '\n'
    sed -n '/^\[profile\.dev\]/,$p' Cargo.toml
} >"$scratch/Cargo.toml"
cp Cargo.lock "$scratch"
for name in "${names[@]}"; do
    (cd "$scratch" && CARGO_TARGET_DIR=$target cargo check --quiet --offline -p "$name")
done

step 'package for Debian'
packaging/deb.sh "$target/release/tabiya" target
