"""Counts the lines of code in crates/: neither blank nor only a comment, tests apart.

    python3 .ci/lines.py

Prints the lines of each crate, and of all. Rust, JavaScript, CSS and HTML count; what stands in tests/, in tests.rs or in a
test module at the end of a source file does not. Fails above MOST, because size is a cost: what a change adds, it should
take away elsewhere, or say why not.
"""

import subprocess
import sys
from collections import Counter
from pathlib import Path

MOST = 96_500
SUFFIXES = {".rs", ".js", ".css", ".html"}


def is_test(path):
    return "tests" in path.parts or path.name == "tests.rs" or "benches" in path.parts


def lines(text):
    """The lines of code of a source file."""
    code = text.split("#[cfg(test)]\nmod tests {")[0]
    stripped = (line.strip() for line in code.splitlines())
    return sum(1 for line in stripped if line and not line.startswith(("//", "/*", "*", "<!--")))


listed = subprocess.run(["git", "ls-files", "crates"], capture_output=True, text=True, check=True)
counts = Counter()
for path in map(Path, listed.stdout.splitlines()):
    if path.suffix in SUFFIXES and not is_test(path):
        counts[path.parts[1]] += lines(path.read_text())
for crate, count in sorted(counts.items()):
    print(f"{count:7} {crate}")
print(f"{counts.total():7} lines of code in crates/, at most {MOST}")
sys.exit(counts.total() > MOST)
