#!/usr/bin/env bash
# Checks every library with the oldest Rust that its Cargo.toml names, since lints do not see everything: a target feature
# that became stable later, for one.
. "$(dirname "$0")/common.sh"
if ! command -v rustup >/dev/null; then
    echo 'no rustup: the oldest versions of Rust were not tried'
    exit 0
fi
declare -A packages
for manifest in crates/*/Cargo.toml; do
    version=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' "$manifest")
    if [ -n "$version" ]; then
        packages[$version]+=" -p $(sed -n 's/^name = "\(tabiya.*\)"$/\1/p' "$manifest" | head -1)"
    fi
done
for version in "${!packages[@]}"; do
    echo "Rust $version:${packages[$version]}"
    if ! rustup toolchain list | grep -q "^$version-" && ! timeout 120 rustup toolchain install "$version" --profile minimal; then
        echo "Rust $version could not be installed: the libraries above were not tried with it"
        continue
    fi
    # shellcheck disable=SC2086
    CARGO_TARGET_DIR=$target/oldest cargo "+$version" check --quiet --locked --all-features ${packages[$version]}
done
