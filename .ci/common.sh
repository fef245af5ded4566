# What the scripts of this folder share; each reads it first. It leads to the root of the checkout, says where things are
# built, and has the folder of suites and the engine that some tests ask for, if they are there.
# shellcheck shell=bash
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}

if [ -z "${TABIYA_SUITES:-}" ] && [ -d ../shared/suites ]; then
    TABIYA_SUITES=$(cd ../shared/suites && pwd)
    export TABIYA_SUITES
fi
if [ -z "${TABIYA_STOCKFISH:-}" ]; then
    TABIYA_STOCKFISH=$(command -v stockfish || echo /usr/games/stockfish)
    export TABIYA_STOCKFISH
fi

step() {
    printf '\n--- %s (after %s s)\n' "$1" "$SECONDS"
}
