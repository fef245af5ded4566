#!/usr/bin/env bash
# Runs the examples of the libraries with small inputs, and looks for a text that each has to print.
#
#     .ci/examples.sh FOLDER    the folder with the examples, such as target/debug/examples
set -euo pipefail
examples=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

prints() {
    local wanted=$1 out
    shift
    echo "$*"
    out=$("$@")
    if ! grep -qF -- "$wanted" <<<"$out"; then
        printf '%s\n' "$out"
        echo "$*: should print '$wanted'" >&2
        exit 1
    fi
}

cat >"$work/games.pgn" <<'PGN'
[White "A"]
[Black "B"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0

[White "C"]
[Black "D"]
[Result "1/2-1/2"]

1. e4 c5 2. Nf3 1/2-1/2

[White "E"]
[Black "F"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1
PGN
echo '4k3/8/8/8/8/8/8/R3K3 w Q - bm Ra8+; id "a check";' >"$work/suite.epd"
printf '%s\n' '{"command":"play","move":"e4"}' '{"command":"play","move":"Qh5"}' >"$work/commands"

printf '%s\n' f3 e5 g4 Qh4 >"$work/moves"

prints '20 moves, ongoing' "$examples/moves"
prints '8902 leaves' "$examples/perft" 3
prints 'a check: bm Ra8+' "$examples/epd" <"$work/suite.epd"
prints 'Shredder-FEN: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1' "$examples/chess960" 518
prints 'after O-O' "$examples/editor"
prints '(1. e4 {the usual move})' "$examples/build"
prints '     1  e4 e5 Nf3 Nc6' "$examples/openings" "$work/games.pgn" 4
prints 'e4            2 games  75.0 %' "$examples/tree" "$work/games.pgn"
prints 'best: e4' "$examples/book"
prints '1. ' "$examples/multi_pv" 4
prints '3 of 3' "$examples/epd_suite" 5000 </dev/null
prints 'Stockfish' "$examples/analyse" "${TABIYA_STOCKFISH:-stockfish}" 100
prints 'Tabiya 3 against' "$examples/stockfish" "${TABIYA_STOCKFISH:-stockfish}" 1
prints 'Checkmate! Black wins.' "$examples/loop" <"$work/moves"
prints '"refusal":"move"' "$examples/server" <"$work/commands"
