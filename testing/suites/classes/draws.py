"""Draws: verdicts on single positions and along games; and keys of positions in Polyglot's opening books."""

import chess
import chess.polyglot

from . import table
from .positions import Pool, Random, fen, few, is_possible, legal_moves

# Positions of every material that matters, and ends of the game.
SINGLE = [
    "8/8/4k3/8/8/4K3/8/8 w - - 0 1",
    "8/8/4k3/8/8/4KN2/8/8 b - - 0 1",
    "8/8/4k3/8/8/4KB2/8/8 w - - 0 1",
    "8/8/4k3/8/8/3NKN2/8/8 w - - 0 1",
    "8/8/4k1n1/8/8/3NK3/8/8 w - - 0 1",
    "8/8/4k1b1/8/8/3NK3/8/8 b - - 0 1",
    "5b2/8/4k3/8/8/4K3/8/2B5 w - - 0 1",
    "2b5/8/4k3/8/8/4K3/8/2B5 w - - 0 1",
    "2b5/8/4k3/8/8/4K3/8/5B2 w - - 0 1",
    "8/8/4k3/8/3B4/4K3/3B4/B7 b - - 0 1",
    "8/8/4k3/8/2B5/4K3/3B4/8 b - - 0 1",
    "b1b5/8/4k3/8/4B3/4K3/B7/8 b - - 0 1",
    "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1",
    "8/4p3/4k3/8/8/4K3/8/8 b - - 0 1",
    "8/8/4k3/8/8/4K3/4R3/8 w - - 0 1",
    "8/8/4kq2/8/8/4K3/8/8 b - - 0 1",
    "8/8/4k1q1/8/8/3NK3/8/8 w - - 0 1",
    "8/8/4k1r1/8/8/3NK3/8/8 w - - 0 1",
    "8/6p1/4k3/8/8/3NK3/8/8 w - - 0 1",
    "8/6p1/4k3/8/8/3BK3/8/8 w - - 0 1",
    "8/8/4k1r1/8/8/3BK3/8/8 b - - 0 1",
    "8/8/4k1n1/8/8/3BK3/8/8 b - - 0 1",
    "k7/8/8/8/8/8/8/K5Q1 w - - 99 80",
    "k7/8/8/8/8/8/8/K5Q1 w - - 100 80",
    "k7/8/8/8/8/8/8/K5Q1 b - - 149 90",
    "k7/8/8/8/8/8/8/K5Q1 w - - 150 90",
    "k7/8/8/8/8/8/8/K5Q1 w - - 400 290",
    "7k/6Q1/6K1/8/8/8/8/8 b - - 150 120",
    "7k/5K2/6Q1/8/8/8/8/8 b - - 100 120",
    "6k1/5ppp/8/8/8/8/8/K3R3 w - - 12 40",
    "4R1k1/5ppp/8/8/8/8/8/K7 b - - 13 40",
    "8/p1p1p1p1/P1P1P1P1/8/k7/8/8/K7 w - - 0 60",
]


def state(board):
    if board.is_checkmate():
        return "checkmate"
    if board.is_stalemate():
        return "stalemate"
    return "check" if board.is_check() else "none"


def single(pool):
    rng = Random(501)
    light = ["N", "b", "nB", "BB", "NN", "bb", "n", "Bq", "Nr", "bP", "np", "Nn", "bB", "rN", "BBb", "p", "Q"]
    rows = [("by hand", chess.Board(text)) for text in SINGLE]
    rows += [("over", board) for board in pool.kinds["over"]]
    rows += pool.spread(22)
    while len(rows) < 120:
        board = few(rng, light)
        # Both at once have an order of precedence, which other tests look at.
        if not board.is_insufficient_material():
            board.halfmove_clock = rng.pick([0, 7, 99, 100, 120, 149, 150, 151])
            board.fullmove_number = 100
        rows.append(("random", board))
    assert all(is_possible(board) for _, board in rows)
    flag = lambda value: int(bool(value))
    return table(
        """\
suite: ends and draws in single positions
expected: python-chess; a position blocked by pawns is not insufficient material
format: FEN<TAB>none, check, checkmate or stalemate<TAB>White cannot mate with any help<TAB>Black cannot
  <TAB>insufficient material<TAB>a draw by 50 moves may be claimed<TAB>75 moves<TAB>origin (1 is yes, 0 is no)""",
        [
            (
                fen(board),
                state(board),
                flag(board.has_insufficient_material(chess.WHITE)),
                flag(board.has_insufficient_material(chess.BLACK)),
                flag(board.is_insufficient_material()),
                flag(board.halfmove_clock >= 100),
                flag(board.halfmove_clock >= 150),
                origin,
            )
            for origin, board in rows
        ],
    )


KNIGHTS = "g1f3 g8f6 f3g1 f6g8 "
# Games that repeat positions, or nearly: name, start, moves.
BY_HAND = [
    ("knights, three times", chess.STARTING_FEN, KNIGHTS * 2),
    ("knights, five times", chess.STARTING_FEN, KNIGHTS * 4),
    ("knights, beyond the draw", chess.STARTING_FEN, KNIGHTS * 6),
    ("knights, one ply short", chess.STARTING_FEN, (KNIGHTS * 2)[:-6]),
    ("kings that lose their rights", chess.STARTING_FEN, "e2e4 e7e5 " + "e1e2 e8e7 e2e1 e7e8 " * 5),
    ("a rook that loses a right", "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1", "h1h2 a8a7 h2h1 a7a8 " * 5),
    ("kings without rights", "r3k3/8/8/8/8/8/8/4K2R w - - 0 1", "h1h2 a8a7 h2h1 a7a8 " * 5),
    ("en passant that is legal once", "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5 " + "e1e2 e8e7 e2e1 e7e8 " * 4),
    ("en passant that is pinned", "4r1k1/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5 " + "e1d1 g8h8 d1e1 h8g8 " * 4),
    ("en passant without a captor", "4k3/3p4/8/8/8/8/8/4K3 b - - 0 1", "d7d5 " + "e1e2 e8e7 e2e1 e7e8 " * 4),
    ("the other side to move", "7k/8/8/8/8/8/8/KQ6 w - - 0 1", "b1c1 h8g8 c1d1 g8h8 d1b1 h8g8 b1c1 g8h8 c1b1 h8g8 "),
    ("two ways round", "7k/8/8/8/8/8/8/KR6 w - - 0 1", "b1b2 h8h7 b2b1 h7h8 b1c1 h8g8 c1b1 g8h8 b1b2 h8h7 b2b1 h7h8 "),
    ("rooks that change places", "7k/8/8/8/8/8/8/K1R3R1 w - - 0 1", "c1c2 h8h7 g1c1 h7h8 c2g2 h8h7 g2g1 h7h8 " * 2),
    ("a capture between", "7k/8/8/p7/8/8/8/KR6 w - - 0 1", "b1b2 h8h7 b2b1 h7h8 b1b5 h8h7 b5a5 h7h8 a5b5 h8h7 b5b1 h7h8 b1b2 h8h7 b2b1 h7h8 "),
]


def key(board):
    """What makes positions the same: pieces, side, rights, and en passant if it is legal."""
    return " ".join(fen(board, "legal").split()[:4])


def verdicts(name, start, moves):
    """Plays a game and counts."""
    board = chess.Board(start)
    seen, first = {key(board): 1}, [None] * 4
    for ply, text in enumerate(moves, 1):
        move = board.parse_uci(text)
        board.push(move)
        seen[key(board)] = times = seen.get(key(board), 0) + 1
        goes_on = any(board.legal_moves)
        met = [
            times >= 3,
            times >= 5,
            board.halfmove_clock >= 100 and goes_on,
            board.halfmove_clock >= 150 and goes_on,
        ]
        first = [old or (ply if now else None) for old, now in zip(first, met)]
    end = state(board)
    if end in ("none", "check"):
        end = "insufficient" if board.is_insufficient_material() else "none"
    plies = [ply or "-" for ply in first]
    return (name, start, " ".join(moves), *plies, seen[key(board)], end, fen(board))


def restless(rng, board, plies, back):
    """Plays moves that often go back to where a piece came from, and never capture with too little left."""
    moves = []
    for _ in range(plies):
        legal = legal_moves(board)
        if not legal or board.is_insufficient_material():
            break
        undo = []
        if len(board.move_stack) >= 2:
            last = board.move_stack[-2]
            undo = [m for m in legal if (m.from_square, m.to_square) == (last.to_square, last.from_square)]
        move = undo[0] if undo and rng.chance(back) else rng.pick(legal)
        moves.append(board.uci(move))
        board.push(move)
    return moves


def quiet(rng, board, plies):
    """Plays moves without captures and pawns, as far as there are any."""
    moves = []
    for _ in range(plies):
        legal = [m for m in legal_moves(board) if not board.is_zeroing(m)]
        if not legal:
            break
        move = rng.pick(legal)
        moves.append(board.uci(move))
        board.push(move)
    return moves


def along_games(pool):
    rng, rows = Random(502), []
    for name, start, moves in BY_HAND:
        rows.append(verdicts(name, start, moves.split()))
    boards = [board for _, board in pool.spread(200) if not board.chess960 and any(board.legal_moves)]
    while len(rows) < 58:
        board = rng.pick(boards).copy()
        board.halfmove_clock = 0
        board.ep_square = board.ep_square if board.has_legal_en_passant() else None
        start = fen(board)
        moves = restless(rng, board, 30 + rng.below(50), 0.7 + 0.29 * rng.below(2))
        row = verdicts("restless", start, moves)
        # Half of them reach something.
        if moves and (row[3] != "-" or len(rows) % 2):
            rows.append(row)
    while len(rows) < 84:
        clock = rng.pick([0, 40, 90, 99])
        start = few(rng, ["RrNn", "RRr", "QqP", "BNr", "PpRr", "RrBb"])
        start.halfmove_clock, start.fullmove_number = clock, 60
        board = start.copy()
        moves = quiet(rng, board, 10 + rng.below(150))
        if len(moves) > 8:
            rows.append(verdicts("quiet", fen(start), moves))
    return table(
        """\
suite: draws along games; a game may go on after a draw was due
expected: python-chess plays, and positions are counted by pieces, side to move, rights to castle and legal en passant
format: name<TAB>FEN<TAB>UCI moves<TAB>first ply at which a position occurred 3 times, or -<TAB>5 times
  <TAB>first ply with the clock at 100 and a legal move<TAB>at 150<TAB>occurrences of the last position
  <TAB>none, checkmate, stalemate or insufficient<TAB>FEN at the end""",
        rows,
    )


def polyglot(pool):
    boards = [board for _, board in pool.all() if not board.chess960][3:]
    boards = Random(503).shuffled(boards)[:110]
    return table(
        """\
suite: keys of positions in Polyglot's opening books
expected: python-chess
format: FEN<TAB>key in hexadecimal""",
        [(fen(board, "fen"), f"{chess.polyglot.zobrist_hash(board):016x}") for board in boards],
    )


def files(pool: Pool, _):
    yield "draws/positions.tsv", single(pool)
    yield "draws/games.tsv", along_games(pool)
    yield "hash/polyglot.tsv", polyglot(pool)
