"""Counts what the tests of a workspace run, in the reports about each test program that llvm-cov has exported in the lcov
format. (One report about all programs would be wrong: of a function that one of them has not used, and another one has,
llvm-cov takes the first record.)

    python3 .ci/coverage.py [LCOV...] [--check] [--branches] [--missed]

Prints the shares of lines, functions and branches for each crate, and the files with less than 95 % of their lines. A
function counts once, however many types it is compiled for. With --check, fails where one of CHECKED has less than LEAST, or
where none of its lines or functions were counted; with --branches, which says that the compiler counts them, the same for
branches. With --missed, prints each line that nothing runs.

Left out are test modules inside source files, and what NEVER_RUN names.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

LEAST = {"lines": 95.0, "functions": 95.0, "branches": 90.0}
CHECKED = ["crates/rules", "crates/game"]
KINDS = list(LEAST)

# Functions that only the compiler runs, by file: they fill tables that are constants of the program. What they fill is
# tested by value.
NEVER_RUN = {
    "crates/rules/src/moves.rs": ["roles"],
    "crates/rules/src/notation/fen/reader.rs": ["codes"],
    "crates/rules/src/position/generate/pins_and_checks.rs": ["near_table"],
    "crates/rules/src/position/play.rs": ["effects"],
    "crates/rules/src/sliders/hyperbola.rs": ["masks", "ranks"],
    "crates/rules/src/sliders/table.rs": ["entries", "relevant", "attacks", "fill"],
    "crates/rules/src/zobrist.rs": ["numbers"],
}


def ranges(path, source):
    """The first and last lines of what does not count in a source file, from 1. The sources are formatted, so whatever
    begins at some depth ends with the next bracket at the same depth."""
    names = NEVER_RUN.get(str(path), [])
    lines = source.splitlines()
    found = []
    for number, line in enumerate(lines):
        is_tests = line == "#[cfg(test)]" and re.fullmatch(r"mod \w+ \{", lines[number + 1])
        function = re.match(r"( *)(?:pub(?:\(\w+\))? )?const fn (\w+)", line)
        if is_tests or (function and function[2] in names):
            end = (function[1] if function else "") + "}"
            found.append((number + 1, lines.index(end, number) + 1))
            names = [name for name in names if not function or name != function[2]]
    if names:
        sys.exit(f"{path}: there is no const fn {names}, which .ci/coverage.py leaves out")
    return found


def read(reports, root):
    """Of each file below the root, a dictionary for lines, functions and branches: which of them was run how often."""
    files = defaultdict(lambda: {kind: defaultdict(int) for kind in KINDS})
    for record in "".join(reports).split("end_of_record\n"):
        path = re.search("^SF:(.*)$", record, re.M)
        # The root has no links in it, so the path may not have any either.
        path = Path(path[1]).resolve() if path else None
        if not path or not path.is_relative_to(root):
            continue
        out = ranges(path.relative_to(root), path.read_text())
        counts = files[str(path.relative_to(root))]
        names = {}
        for tag, value in re.findall("^(DA|FN|FNDA|BRDA):(.*)$", record, re.M):
            if tag == "FN":
                line, name = value.split(",", 1)
                names[name] = line
                continue
            if tag == "FNDA":
                kind, (count, name) = "functions", value.split(",", 1)
                line = key = names[name]
            elif tag == "DA":
                kind, (line, count) = "lines", value.split(",")[:2]
                key = line
            else:
                kind, (line, *key, count) = "branches", value.split(",")
                key = (line, *key)
            if not any(first <= int(line) <= last for first, last in out):
                counts[kind][key] += 0 if count == "-" else int(count)
    return files


def share(files, kind):
    """How many of a kind were run, how many there are, and the share in percent, or None if there are none."""
    found = [count for counts in files for count in counts[kind].values()]
    hit = sum(1 for count in found if count > 0)
    return hit, len(found), 100 * hit / len(found) if found else None


def problem(percent, kind, branches):
    """What a checked crate has too little of, as the end of a sentence."""
    if percent is None:
        return "and there should be some" if kind != "branches" or branches else None
    return f"which is less than {LEAST[kind]:.0f} %" if percent < LEAST[kind] else None


def main():
    options = {word for word in sys.argv[1:] if word.startswith("--")}
    unknown = options - {"--check", "--branches", "--missed"}
    if unknown:
        sys.exit(f"unknown: {', '.join(sorted(unknown))}")
    root = Path(__file__).resolve().parent.parent
    files = read([Path(name).read_text() for name in sys.argv[1:] if name not in options], root)
    crates = {crate: [] for crate in CHECKED} if "--check" in options else {}
    for name, counts in sorted(files.items()):
        crates.setdefault(name.split("/src/")[0], []).append(counts)
        hit, found, percent = share([counts], "lines")
        if percent is not None and percent < LEAST["lines"]:
            print(f"    {percent:6.2f} %  {name} ({hit} of {found} lines)")
        if "--missed" in options:
            for line, count in sorted(counts["lines"].items(), key=lambda item: int(item[0])):
                if count == 0:
                    print(f"{name}:{line}")
    failed = False
    for crate, members in sorted(crates.items()):
        parts = []
        for kind in KINDS:
            _, found, percent = share(members, kind)
            parts.append(f"no {kind} counted" if percent is None else f"{percent:.2f} % of {found} {kind}")
            wrong = problem(percent, kind, "--branches" in options) if crate in CHECKED else None
            if "--check" in options and wrong:
                failed = True
                parts[-1] += f", {wrong}"
        print(f"{crate}: {'; '.join(parts)}")
    sys.exit(1 if failed else 0)


main()
