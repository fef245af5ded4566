"""Counts the instructions of what users wait for, with valgrind --tool=callgrind, and compares them with .ci/counts.txt.

    python3 .ci/counts.py TABIYA            prints each count and its change
    python3 .ci/counts.py TABIYA --write    writes them to the file

Unlike seconds, counts hardly depend on what else the machine does. Where one rises by more than 3 %, the commit says why.
The start and the first frame are those of the home screen in a terminal of 80x24; a typed move is what one more move costs in
the line mode, from a pipe.
"""

import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
COUNTS = ROOT / ".ci/counts.txt"
RISE = 3.0

MOVES = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7".split()


def counted(program, arguments, home, text=""):
    """How many instructions the program takes, all its threads together."""
    out = home / "callgrind"
    valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--quiet", program]
    environment = {"HOME": str(home), "XDG_DATA_HOME": str(home), "XDG_CONFIG_HOME": str(home), "PATH": os.environ["PATH"]}
    run = subprocess.run(valgrind + arguments, input=text, capture_output=True, text=True, env=environment)
    if run.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: {run.stderr}")
    return int(re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.M)[1])


def first_frame(program, home):
    """The full screen until it is drawn and told to leave."""
    import fcntl
    import pty
    import select
    import termios

    out = home / "callgrind"
    (home / "tabiya").mkdir(exist_ok=True)
    (home / "tabiya/config.toml").write_text('name = ""\n')
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(XDG_DATA_HOME=str(home), XDG_CONFIG_HOME=str(home), TERM="xterm-256color")
        os.execvp("valgrind", ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--quiet", program])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    seen, asked = b"", False
    try:
        while True:
            if not select.select([terminal], [], [], 120)[0]:
                sys.exit(f"the full screen did not come up: {seen!r}")
            seen += os.read(terminal, 65536)
            # The end of a frame.
            if not asked and b"\x1b[?2026l" in seen:
                os.write(terminal, b"\x03\x03")
                asked = True
    except OSError:
        os.waitpid(child, 0)
    return int(re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.M)[1])


def games(path):
    """A file of games, from the project's own suites."""
    text = b"".join(file.read_bytes() for file in sorted((ROOT / "testing/suites/data/pgn/random").glob("*.pgn")))
    path.write_bytes(text * (1 + 2_000_000 // len(text)))


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        home = pathlib.Path(folder)
        games(home / "games.pgn")

        def lines(count):
            text = "".join(f"{move}\n" for move in MOVES[:count])
            return counted(program, ["play", "--line"], home, text + "quit\n")

        found = {
            "start": counted(program, ["--version"], home),
            "first frame": first_frame(program, home),
            "typed move": (lines(len(MOVES)) - lines(0)) // len(MOVES),
            "perft 5": counted(program, ["perft", "5"], home),
            "pgn check, 2 MB": counted(program, ["pgn", "check", str(home / "games.pgn"), "--threads", "1"], home),
            "bench": counted(program, ["bench"], home),
        }
    before = {}
    if COUNTS.exists():
        rows = (line.rsplit(" ", 1) for line in COUNTS.read_text().splitlines() if not line.startswith("#"))
        before = {name.strip(): int(count) for name, count in rows}
    if "--write" in sys.argv:
        rows = "".join(f"{name:16} {count}\n" for name, count in found.items())
        COUNTS.write_text("# Instructions, as .ci/counts.py counts them.\n" + rows)
    for name, count in found.items():
        change = f"{100 * (count / before[name] - 1):+.1f} %" if name in before else "new"
        rise = name in before and count > before[name] * (1 + RISE / 100)
        print(f"{name:16} {count:>15,} {change:>9}{'   MORE THAN BEFORE: the commit should say why' if rise else ''}")


main()
