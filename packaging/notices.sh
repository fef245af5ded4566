#!/usr/bin/env bash
# Prints the license texts of every crate that is part of the program: packaging/notices.sh. Needs cargo, with the sources
# of the dependencies fetched. Fails if a crate has no license, or one that the program may not ship.
set -euo pipefail
cd "$(dirname "$0")/.."

printf 'Tabiya contains the following libraries.\n'
metadata=$(mktemp)
trap 'rm -f "$metadata"' EXIT
cargo metadata --format-version 1 --locked --quiet >"$metadata"
cargo tree --package tabiya --edges normal --prefix none --format '{p}|{l}' --locked |
    sed 's/ (\*)$//; s/ (proc-macro)//' | sort -u |
    while IFS='|' read -r package license; do
        name=${package%% v*}
        version=${package#* v}
        version=${version%% *}
        case $name in tabiya | tabiya-*) continue ;; esac
        case $license in
        '' | GPL* | AGPL* | LGPL* | *' GPL'*)
            echo "packaging/notices.sh: $name $version has the license '$license'" >&2
            exit 1
            ;;
        esac
        printf '\n%s\n%s %s (%s)\n\n' "$(printf '=%.0s' {1..80})" "$name" "$version" "$license"
        manifest=$(grep -o "\"manifest_path\":\"[^\"]*/$name-$version/Cargo.toml\"" "$metadata" | head -n1 | cut -d'"' -f4)
        found=no
        for file in "${manifest%/*}"/{LICENSE,LICENCE,COPYING,NOTICE,license}*; do
            [ -f "$file" ] || continue
            found=yes
            cat "$file"
            printf '\n'
        done
        [ $found = yes ] || printf 'The package has no license file; its manifest names %s.\n' "$license"
    done
