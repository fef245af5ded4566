#!/usr/bin/env bash
# Makes a Debian package of a binary that was built before: packaging/deb.sh BINARY [FOLDER]. Needs dpkg-deb, gzip,
# objdump and cargo. The package has the program, its manual pages, completions for three shells, and the licenses of the
# program and of the libraries in it.
set -euo pipefail

for tool in dpkg-deb gzip objdump cargo; do
    if ! command -v "$tool" >/dev/null; then
        echo "packaging/deb.sh needs $tool" >&2
        exit 2
    fi
done

if [ $# -lt 1 ] || ! [ -x "$1" ]; then
    echo 'Usage: packaging/deb.sh BINARY [FOLDER]; build one with cargo build --release -p tabiya' >&2
    exit 2
fi
binary=$(realpath "$1")
out=$(realpath "${2:-.}")
cd "$(dirname "$0")/.."

version=$("$binary" --version | cut -d' ' -f2)
architecture=$(dpkg --print-architecture)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"

install -Dm755 "$binary" "$root/usr/bin/tabiya"

man=$root/usr/share/man/man1
mkdir -p "$man"
"$binary" man | gzip -9n >"$man/tabiya.1.gz"
for command in $("$binary" --help | awk '/^Commands:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }'); do
    # The help is no command with a page.
    [ "$command" = help ] || "$binary" man "$command" | gzip -9n >"$man/tabiya-$command.1.gz"
done

completions() {
    mkdir -p "$root/usr/share/$2"
    "$binary" completions "$1" >"$root/usr/share/$2/$3"
}
completions bash bash-completion/completions tabiya
completions zsh zsh/vendor-completions _tabiya
completions fish fish/vendor_completions.d tabiya.fish

doc=$root/usr/share/doc/tabiya
mkdir -p "$doc"
{
    printf 'Tabiya is licensed under MIT or Apache-2.0, as you like.\n\n'
    cat LICENSE-MIT
    printf '\n'
    cat LICENSE-APACHE
} >"$doc/copyright"
packaging/notices.sh | gzip -9n >"$doc/third-party-notices.gz"
gzip -9nc CHANGELOG.md >"$doc/changelog.gz"
cp docs/config.md docs/saves.md docs/database.md "$doc"
chmod -R u=rwX,go=rX "$root"

# A static binary needs nothing; any other needs the C library of which it names the newest symbols.
needs=$(objdump -T "$binary" 2>/dev/null | grep -oP 'GLIBC_\K[0-9.]+' | sort -Vu | tail -n1 || true)
mkdir -p "$root/DEBIAN"
{
    printf 'Package: tabiya\nVersion: %s\nArchitecture: %s\n' "$version" "$architecture"
    printf 'Maintainer: The Tabiya authors\nSection: games\nPriority: optional\n'
    printf 'Installed-Size: %s\n' "$(du -sk "$root/usr" | cut -f1)"
    [ -z "$needs" ] || printf 'Depends: libc6 (>= %s), libgcc-s1\n' "$needs"
    printf 'Description: Chess for the terminal\n'
    printf ' Play against a person, the built-in engine or any UCI engine, review games, watch\n'
    printf ' matches, and work with positions and PGN files in scripts.\n'
} >"$root/DEBIAN/control"

package=$out/tabiya_${version}_${architecture}.deb
dpkg-deb --build --root-owner-group "$root" "$package" >&2
echo "$package"
