#!/usr/bin/env bash
# Tries the program together with others, and the test data against them: libraries in Python, a browser, nginx, databases, pgn-extract, and many clients.
# It needs .ci/prepare.sh and the release binary.
. "$(dirname "$0")/common.sh"
cargo build --quiet -p tabiya-serve --example load
tabiya=$target/release/tabiya load=$target/debug/examples/load
python=$PWD/target/python/bin/python

step 'python-chess plays with the engine, and reads the same books'
"$python" crates/engine/tests/python_chess.py "$tabiya" uci
"$python" crates/openings/tests/python_chess.py "$tabiya" --books target/python-chess/chess-1.11.2/data/polyglot

step 'the page in a browser'
TABIYA=$tabiya TABIYA_BROWSER=$PWD/target/browser CHROMIUM=$(command -v chromium) node .ci/browser/test.mjs

step 'the interface of the server: its description, and a bot in Python'
"$python" .ci/serve.py "$tabiya"

step 'the recipes for nginx: TLS, and two servers that share the games'
"$python" .ci/nginx.py "$tabiya"

step 'load on the server, in small numbers'
"$load" "$tabiya" games 100 10
"$load" "$tabiya" watchers 1000 10
"$load" "$tabiya" kills 10
"$load" - soak 20 60

step 'DuckDB and Polars answer the SQL of docs/database.md as the program does'
"$python" crates/db/tests/sql.py "$tabiya"

step 'the suites of the project are what python-chess and Stockfish say'
nice -n 19 testing/suites/make.py --check

step 'pgn-extract and python-chess find and write the same games'
"$python" crates/tabiya/tests/pgn_tools.py "$tabiya"

step 'done'
