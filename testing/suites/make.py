#!/usr/bin/env python3
"""Makes the project's own test data, testing/suites/data, from the code beside this file.

    testing/suites/make.py            makes testing/suites/data anew
    testing/suites/make.py --check    makes it elsewhere, and fails if testing/suites/data is anything else

Positions and games are random, from a fixed seed, or built for what is rare in play: pinned en passant
pawns, castling from odd files, double checks. What is expected of them comes from two programs that know
nothing of Tabiya: python-chess (moves, notation, FEN, draws, Polyglot keys) and Stockfish (perft). Faulty
texts, and what they mean by the documentation of Tabiya, are written by hand. No program is asked what
Tabiya does, and nothing is taken from other collections.

The script installs its oracles: python-chess 1.11.2 with pip, into target/suites, and Stockfish with apt-get
where there is none in TABIYA_STOCKFISH, on PATH or in /usr/games. With this python-chess every Python from
3.10 on and every Stockfish from 15 on make the same bytes; the last run had Python 3.11 and Stockfish 15.1.
"""

import argparse
import filecmp
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import venv

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
PYTHON_CHESS = "1.11.2"


def inside_environment():
    """Runs this script again with the Python that has python-chess."""
    folder = HERE.parents[1] / "target" / "suites"
    python = folder / "bin" / "python"
    if pathlib.Path(sys.prefix).resolve() == folder.resolve():
        return
    if not python.exists():
        venv.create(folder, with_pip=True)
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, f"chess=={PYTHON_CHESS}"], check=True)
    os.execv(python, [str(python), str(HERE / "make.py"), *sys.argv[1:]])


def stockfish():
    """Returns the path of Stockfish, which is installed if need be."""
    places = [os.environ.get("TABIYA_STOCKFISH"), shutil.which("stockfish"), "/usr/games/stockfish"]
    for _ in range(2):
        for place in places:
            if place and os.path.exists(place):
                return place
        subprocess.run(["apt-get", "update", "-qq"], check=True)
        subprocess.run(["apt-get", "install", "-y", "-qq", "stockfish"], check=True)
    sys.exit("Stockfish was installed, but is not in /usr/games")


def make(folder, engine):
    """Writes every file of the suites below a folder."""
    from classes import draws, fen, moves, openings, perft, pgn, positions, uci

    pool = positions.Pool()
    for module in (perft, moves, fen, draws, uci, pgn, openings):
        for name, text in module.files(pool, engine):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
            print(name)


def differences(compared):
    """Returns the names of the files in which two folders differ."""
    names = [*compared.left_only, *compared.right_only, *compared.funny_files]
    _, changed, failed = filecmp.cmpfiles(
        compared.left, compared.right, compared.common_files, shallow=False
    )
    names += changed + failed
    for name, below in compared.subdirs.items():
        names += [f"{name}/{inner}" for inner in differences(below)]
    return names


def main():
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--check", action="store_true", help="compare, and change nothing")
    check = arguments.parse_args().check
    inside_environment()
    data = HERE / "data"
    with tempfile.TemporaryDirectory() as scratch:
        made = pathlib.Path(scratch) / "data"
        make(made, stockfish())
        if check:
            found = differences(filecmp.dircmp(made, data))
            if found:
                sys.exit(f"testing/suites/data is not what testing/suites/make.py makes: {', '.join(found)}")
        else:
            shutil.rmtree(data, ignore_errors=True)
            shutil.copytree(made, data)


if __name__ == "__main__":
    main()
