#!/usr/bin/env bash
# The instructions of what users wait for, beside those of .ci/counts.txt; --write writes them there. It needs valgrind, which
# .ci/prepare.sh installs, and the release binary.
. "$(dirname "$0")/common.sh"
python3 .ci/counts.py "$target/release/tabiya" "$@"
