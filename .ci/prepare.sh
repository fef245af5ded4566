#!/usr/bin/env bash
# Installs the other programs that the checks need: for the tests, for the packages, and for what is tried with the program.
#
#     .ci/prepare.sh
. "$(dirname "$0")/common.sh"

missing=()
command -v stockfish >/dev/null || [ -x /usr/games/stockfish ] || missing+=(stockfish)
# With it a test sees which files the program opens.
command -v strace >/dev/null || missing+=(strace)
command -v objdump >/dev/null || missing+=(binutils)
# What the recipes of docs/serve.md are for.
[ -x /usr/sbin/nginx ] || missing+=(nginx)
command -v openssl >/dev/null || missing+=(openssl)
# It counts instructions.
command -v valgrind >/dev/null || missing+=(valgrind)
[ -x /usr/games/pgn-extract ] || command -v pgn-extract >/dev/null || missing+=(pgn-extract)
command -v chromium >/dev/null || missing+=(chromium)
if [ ${#missing[@]} -gt 0 ]; then
    apt-get update -qq
    apt-get install -y -qq "${missing[@]}"
fi

# What counts the lines that tests run: of the compiler's own LLVM version, which Debian has if rustup has not.
toolchain=()
! rustc +nightly --version >/dev/null 2>&1 || toolchain=(+nightly)
rustup "${toolchain[@]}" component add llvm-tools ||
    apt-get install -y -qq "llvm-$(rustc "${toolchain[@]}" -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')"

mkdir -p target/browser
python3 -m venv target/python
target/python/bin/python -m pip install --quiet chess check-jsonschema duckdb polars schemathesis
# Its own sample books are in its source package only.
target/python/bin/python -m pip download --quiet --no-deps --no-binary chess --dest target/python-chess chess==1.11.2
tar -xzf target/python-chess/chess-1.11.2.tar.gz -C target/python-chess
[ -e target/browser/package.json ] || echo '{"private":true}' >target/browser/package.json
npm --prefix target/browser install --silent --no-fund --no-audit playwright-core@1.65 axe-core@4.14
echo 'everything is there'
