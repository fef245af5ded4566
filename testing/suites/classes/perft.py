"""Counts of the leaves of the tree of moves, by Stockfish; where they are small, python-chess counts as well."""

import subprocess

import chess

from . import table
from .positions import Pool, Random, fen, few

# Every line goes as deep as this allows, and the first of each kind further, for the release tier.
MOST, MOST_OF_THE_FIRST = 100_000, 4_000_000
# python-chess counts so many.
MOST_COUNTED_TWICE = 1_000


class Engine:
    """Stockfish, which counts."""

    def __init__(self, path):
        self.process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def count(self, board, depth):
        mode = "true" if board.chess960 else "false"
        self.process.stdin.write(
            f"setoption name UCI_Chess960 value {mode}\n"
            f"position fen {fen(board, 'fen')}\ngo perft {depth}\n"
        )
        for line in self.process.stdout:
            if line.startswith("Nodes searched: "):
                return int(line.split()[-1])
        raise RuntimeError(f"Stockfish died of {fen(board)}")

    def close(self):
        self.process.communicate("quit\n")


def count(board, depth):
    if depth == 0:
        return 1
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += count(board, depth - 1)
        board.pop()
    return total


def counts(engine, board, most):
    """Returns perft from depth 1 on, as far as it is not too much."""
    found = []
    while len(found) < 7:
        nodes = engine.count(board, len(found) + 1)
        if nodes > most and found:
            break
        if nodes <= MOST_COUNTED_TWICE and count(board.copy(), len(found) + 1) != nodes:
            raise RuntimeError(f"Stockfish and python-chess differ: {fen(board)}, {nodes}")
        found.append(nodes)
        if nodes == 0:
            break
    return found


def line(engine, board, most, rest=""):
    numbers = counts(engine, board, most)
    fields = [f"D{depth} {nodes}" for depth, nodes in enumerate(numbers, 1)]
    return " ;".join([fen(board, "fen"), *fields]) + rest


HEAD = """\
suite: perft, {kind}
expected: Stockfish's go perft; counts up to {twice} by python-chess as well
format: FEN ;D<depth> <leaves> ;...{rest}
"""


def unreachable(rng):
    """Positions in which no move can have given the check: three checkers, or two that cannot check at once."""
    while True:
        board = few_invalid(rng)
        if board.status() == chess.STATUS_IMPOSSIBLE_CHECK or board.status() == (
            chess.STATUS_IMPOSSIBLE_CHECK | chess.STATUS_TOO_MANY_CHECKERS
        ):
            return board


def few_invalid(rng):
    from .positions import scatter

    board = chess.Board(None)
    scatter(rng, board, "Kk" + rng.pick(["NNNn", "nnnQ", "BBBr", "rrrP", "NNPPb", "nnbbR"]))
    board.turn = rng.chance(0.5)
    return board


def files(pool: Pool, path):
    engine = Engine(path)
    for kind, boards in pool.kinds.items():
        if kind == "over":
            continue
        lines = [
            line(engine, board, MOST_OF_THE_FIRST if index < 3 else MOST)
            for index, board in enumerate(boards)
        ]
        head = HEAD.format(kind=kind.replace("_", " "), twice=MOST_COUNTED_TWICE, rest="")
        yield f"perft/{kind}.txt", table(head, [[text] for text in lines])
    rng = Random(200)
    why = " ;why IMPOSSIBLE_CHECK"
    lines = [line(engine, unreachable(rng), 20_000, why) for _ in range(20)]
    rest = " ;why STATUS, the words of python-chess\nA library may refuse these positions."
    head = HEAD.format(kind="unreachable", twice=MOST_COUNTED_TWICE, rest=rest)
    yield "perft/unreachable.txt", table(head, [[text] for text in lines])
    engine.close()
