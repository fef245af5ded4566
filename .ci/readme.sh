#!/usr/bin/env bash
# The two commands of the README, as they stand there, in a clean clone: this checkout if it is one, or else a clone of it. What
# is compiled is shared with the other jobs, some of which use the binary made here; in a clone, which has another path, the
# crates of the workspace are compiled once more.
. "$(dirname "$0")/common.sh"

# The one command of the README, a line of its own, that begins with the given words.
readme_command() {
    local found
    found=$(sed -n "s/^    \\($1.*\\)\$/\\1/p" README.md)
    if [ "$(grep -c . <<<"$found")" != 1 ]; then
        echo "README.md should have one command line that begins with '$1', and has: ${found:-none}" >&2
        return 1
    fi
    printf '%s\n' "$found"
}

run_command=$(readme_command 'cargo run')
test_command=$(readme_command 'cargo test')
clean=$(mktemp -d)
trap 'rm -rf "$clean"' EXIT
clone=$PWD
# A file that git ignores, other than what is built, could be what the commands need.
if [ -n "$(git status --porcelain --ignored | sed -E '/^!! (.*\/)?target[^\/]*\/$/d')" ]; then
    clone=$clean/clone
    git clone --quiet --no-hardlinks . "$clone"
fi
echo "in $clone"
in_clone() (
    cd "$clone"
    CARGO_TARGET_DIR=$target "$@"
)
# What the program keeps and reads while it is tried.
home=(env "XDG_DATA_HOME=$clean/data" "XDG_CONFIG_HOME=$clean/config")

step "$run_command, through a pipe"
in_clone "${home[@]}" bash -c "printf 'e2e4\nquit\n' | $run_command" >"$clean/out"
for line in '4 . . . . P . . .' 'Game over. Goodbye!'; do
    if ! grep -qxF "$line" "$clean/out"; then
        cat "$clean/out"
        echo "$run_command: after e2e4 and quit there should be the line '$line'" >&2
        exit 1
    fi
done
step "$run_command, in a terminal"
in_clone "${home[@]}" python3 .ci/terminal.py "$run_command"
step 'the shipped program has no hook for tests'
if grep -q TABIYA_TEST "$target/release/tabiya"; then
    echo 'the release binary has a variable for tests in it' >&2
    exit 1
fi

step "$test_command"
in_clone bash -c "$test_command" | tee "$clean/tests"
# Whether what other crates ask of rules and game is on in the whole workspace: the tests of serde are among them.
for of in 'serde::' 'formats::serde::'; do
    if ! grep -q "^test $of.* ok\$" "$clean/tests"; then
        echo "$test_command: no test whose name begins with $of has run" >&2
        exit 1
    fi
done
