#!/usr/bin/env bash
# Packs what the rows of `stress` run, for a machine without Rust: static programs, examples and tests, and stand-ins for
# cargo, rustc and git, which run the tests that were built here and answer as they do here.
#
#     testing/stress/pack.sh FOLDER      writes FOLDER/stress.tar.gz; the suites that TABIYA_SUITES names are in it
#
# Tests know the places of their programs and data since they were built. So the checkout, which is needed there too, must
# have the same path as here, or a link there. Then, on that machine:
#
#     tar -xzf stress.tar.gz -C CHECKOUT
#     cd CHECKOUT && target/packed/stress.sh C --minutes 1 --markdown rows.md
#
# Rows A6, A8 (nightly compiler), C13, C14 (Stockfish) and D2 (strace) need more than that. Here again, rows.md becomes part
# of the page:
#
#     target/debug/stress --earlier docs/reliability.md --earlier rows.md --markdown docs/reliability.md
set -euo pipefail
out=$(realpath "$1")
cd "$(dirname "$0")/../.."
host=$(rustc -vV | sed -n 's/^host: //p')
export RUSTFLAGS='-C target-feature=+crt-static'
packages=(-p stress)
for crate in rules game uci engine store db serve front line screen tools; do
    packages+=(-p "tabiya-$crate")
done
packages+=(-p tabiya)
packed=$(mktemp -d)
trap 'rm -rf "$packed"' EXIT
cargo build --release --target "$host" --bins --examples --message-format=json "${packages[@]}" >"$packed/built"
cargo test --release --target "$host" --tests --no-run --message-format=json "${packages[@]}" >"$packed/tested"

release=target/$host/release
stand_ins=target/packed/bin
mkdir -p "$packed/$release"/{deps,examples} "$packed/$stand_ins" "$out"
# A line for each program: what it is, its package, the folder it runs in, and itself.
python3 - "$packed/built" "$packed/tested" >"$packed/programs" <<'PYTHON'
import json, os, sys
for path in sys.argv[1:]:
    for message in map(json.loads, open(path)):
        if message.get("executable"):
            folder = os.path.dirname(message["manifest_path"])
            name = os.path.basename(folder)
            kind = "test" if message["profile"]["test"] else message["target"]["kind"][0]
            print(kind, name if name in ("tabiya", "stress") else f"tabiya-{name}", folder, message["executable"])
PYTHON
while read -r kind package _ program; do
    case $kind-$package in
        # No row asks for these.
        test-stress | test-tabiya-serve | example-tabiya-rules | example-tabiya-game) ;;
        *) strip -o "$packed/${program#"$PWD/"}" "$program" ;;
    esac
done < <(sort -u "$packed/programs")
sed -n 's/^test //p' "$packed/programs" >"$packed/target/packed/tests"

# In place of Cargo: everything is built, and the tests of some packages are run one after another.
cat >"$packed/$stand_ins/cargo" <<'STAND_IN'
#!/usr/bin/env bash
packages=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    case $1 in
        build | --no-run) exit 0 ;;
        -p) packages+=("$2"); shift ;;
    esac
    shift
done
[ $# = 0 ] || shift
status=0
while read -r package folder program; do
    for wanted in "${packages[@]}"; do
        if [ "$package" = "$wanted" ]; then
            (cd "$folder" && exec "$program" "$@") </dev/null || status=101
        fi
    done
done <"$(dirname "$0")/../tests"
exit $status
STAND_IN
says() {
    printf '#!/bin/sh\necho "%s"\n' "$2" >"$packed/$stand_ins/$1"
}
says git "$(git rev-parse --short HEAD)"
says rustc "$(rustc --version)"
suites=
if [ -n "${TABIYA_SUITES:-}" ]; then
    cp -r "$TABIYA_SUITES" "$packed/target/packed/suites"
    suites="export TABIYA_SUITES=$PWD/target/packed/suites"
fi
cat >"$packed/target/packed/stress.sh" <<START
#!/bin/sh
$suites
PATH=$PWD/$stand_ins:\$PATH exec $PWD/$release/stress "\$@"
START
chmod +x "$packed/$stand_ins"/* "$packed/target/packed/stress.sh"
tar -czf "$out/stress.tar.gz" -C "$packed" target
du -h "$out/stress.tar.gz"
