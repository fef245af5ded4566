#!/usr/bin/env python3
"""Compares Polyglot books with python-chess: one that the program builds from games, one that this script writes, and
those in a folder.

    pip install chess
    python3 crates/openings/tests/python_chess.py target/release/tabiya [--books FOLDER]

The argument is the program; the source package of python-chess has books in its folder data/polyglot. The games are random ones with a fixed seed, with castles, promotions and en passant
captures made likely. Exits with an error at the first difference.
"""

import collections
import json
import os
import random
import struct
import subprocess
import sys
import tempfile

import chess
import chess.pgn
import chess.polyglot

PLIES = 60
MIN_GAMES = 2


def check(fine, what):
    if not fine:
        raise SystemExit(f"python-chess: {what}")


def raw(board, move):
    """A move as the format has it: a castle is the king's move onto its rook's square."""
    to = move.to_square
    if board.is_castling(move):
        side = chess.BB_FILE_H if board.is_kingside_castling(move) else chess.BB_FILE_A
        to = chess.lsb(side & chess.BB_RANKS[chess.square_rank(move.from_square)])
    promotion = move.promotion - 1 if move.promotion else 0
    return to | move.from_square << 6 | promotion << 12


def is_special(board, move):
    return move.promotion or board.is_castling(move) or board.is_en_passant(move)


def games(numbers):
    """Random games. A few openings come again and again, so that moves occur in several games."""
    for number in range(400):
        board = chess.Board()
        choice = random.Random(number % 40)
        for ply in range(100):
            moves = sorted(board.legal_moves, key=str)
            if not moves:
                break
            special = [move for move in moves if is_special(board, move)]
            source = choice if ply < 40 else numbers
            board.push(source.choice(special if special and source.random() < 0.7 else moves))
        yield board, numbers.choice(["1-0", "0-1", "1/2-1/2", "*"])


def write_pgn(path, played):
    with open(path, "w") as file:
        for board, result in played:
            game = chess.pgn.Game.from_board(board)
            game.headers["Result"] = result
            print(game, end="\n\n", file=file)


def expected(played):
    """What the book of the games has, counted here: positions with their moves and what those scored."""
    counts = collections.defaultdict(lambda: [0, 0])
    boards = {}
    for finished, result in played:
        if result == "*":
            continue
        board = chess.Board()
        seen = set()
        for move in finished.move_stack[:PLIES]:
            key = chess.polyglot.zobrist_hash(board)
            boards.setdefault(key, board.fen())
            place = (key, raw(board, move))
            if place not in seen:
                seen.add(place)
                won = result == ("1-0" if board.turn else "0-1")
                counts[place][0] += 1
                counts[place][1] += 2 if won else 1 if result == "1/2-1/2" else 0
            board.push(move)
    return {place: score for place, (count, score) in counts.items() if count >= MIN_GAMES}, boards


def shown(program, book, fen):
    """What the program says about a position: moves in coordinates with weight and learned number."""
    answer = subprocess.run([*program, "book", "show", book, fen, "--json"], capture_output=True, text=True)
    check(answer.returncode in (0, 1), f"{fen}: {answer.stderr}")
    return [(move["uci"], move["weight"], move["learn"]) for move in json.loads(answer.stdout)["moves"]]


def compare(program, book, fens):
    with chess.polyglot.open_reader(book) as reader:
        for fen in fens:
            theirs = [(entry.move.uci(), entry.weight, entry.learn)
                      for entry in reader.find_all(chess.Board(fen), minimum_weight=0)]
            ours = shown(program, book, fen)
            check(ours == theirs, f"{fen}: {ours} and {theirs}")


def built(program, folder, numbers):
    played = list(games(numbers))
    pgn, book = os.path.join(folder, "games.pgn"), os.path.join(folder, "built.bin")
    write_pgn(pgn, played)
    subprocess.run([*program, "book", "build", pgn, "--plies", str(PLIES), "--min-games", str(MIN_GAMES),
                    "--out", book], check=True, stdout=subprocess.DEVNULL)
    counted, boards = expected(played)
    with chess.polyglot.open_reader(book) as reader:
        entries = list(reader)
        check([entry.key for entry in entries] == sorted(entry.key for entry in entries), "the book is not sorted")
        found = {(entry.key, entry.raw_move): entry.weight for entry in entries}
    check(len(found) == len(entries), "a move is there twice")
    check(found == counted, f"{len(found)} entries are not the {len(counted)} that were counted")
    special = sum(is_special(chess.Board(boards[entry.key]), entry.move) for entry in entries
                  if chess.Board(boards[entry.key]).is_pseudo_legal(entry.move))
    check(special > 0, "there is no castle, promotion or en passant capture among the moves")
    fens = numbers.sample(sorted(boards.values()), 100)
    compare(program, book, fens)
    return len(entries)


def written(program, folder, numbers):
    """A book with castles in both forms, moves that are not legal, weights of 0 and learned numbers."""
    fens = [chess.STARTING_FEN,
            "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1",
            "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R b KQkq - 0 1",
            "8/P6k/8/8/8/8/p6K/8 w - - 0 1", "8/8/8/3pP3/8/8/8/4K2k w - d6 0 1"]
    entries = []
    for fen in fens:
        board = chess.Board(fen)
        moves = {raw(board, move) for move in board.legal_moves}
        moves |= {move.to_square | move.from_square << 6 for move in board.legal_moves if numbers.random() < 0.2
                  and not board.is_castling(move) and not move.promotion}
        moves |= {(4 + 8 * 3) | 3 << 6, 0o0403 | 5 << 12 & 0x7000}
        key = chess.polyglot.zobrist_hash(board)
        entries += [(key, move, numbers.choice([0, 1, 500, 65535]), numbers.getrandbits(32)) for move in sorted(moves)]
    entries.sort(key=lambda entry: entry[0])
    book = os.path.join(folder, "written.bin")
    with open(book, "wb") as file:
        for entry in entries:
            file.write(struct.pack(">QHHI", *entry))
    compare(program, book, fens)
    return len(entries)


def given(program, book, numbers):
    """A book of other people: games are played by it, and every position on the way is asked for."""
    fens = set()
    with chess.polyglot.open_reader(book) as reader:
        for _ in range(40):
            board = chess.Board()
            while entries := list(reader.find_all(board)):
                fens.add(board.fen())
                board.push(numbers.choice(entries).move)
            fens.add(board.fen())
        count = len(reader)
    fens = sorted(fens)
    compare(program, book, numbers.sample(fens, min(150, len(fens))))
    return count


def main():
    program, books = sys.argv[1:], []
    if "--books" in program:
        at = program.index("--books")
        folder = program[at + 1]
        program = program[:at]
        books = sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".bin"))
        check(books, f"there are no books in {folder}")
    if not program:
        raise SystemExit(__doc__)
    numbers = random.Random(20)
    with tempfile.TemporaryDirectory() as folder:
        print(f"a book built from games: {built(program, folder, numbers)} entries")
        print(f"a book of another program: {written(program, folder, numbers)} entries")
    for book in books:
        print(f"{os.path.basename(book)}: {given(program, book, numbers)} entries")
    print("python-chess: all fine")


main()
