"""Moves: complete sets with the positions after them, and what they are called in SAN and in UCI notation."""

import chess

from . import escaped, table
from .positions import Pool, Random, captures_en_passant, fen, legal_moves

START = chess.STARTING_FEN
PIECES = "NBRQK"


def uci(board, move):
    """Returns a move as it is printed: castling by the rook's square in Chess960 only."""
    return board.uci(move, chess960=board.chess960)


def move_sets(boards):
    """Every legal move in SAN with the FEN after it, whose en passant square is there after every double step."""
    lines = [
        "# suite: every legal move of a position, with the position after it; none means mate or stalemate",
        "# expected: python-chess",
        '# format: "pos FEN" begins a position, "cat KIND" says how it was made, "mv SAN<TAB>FEN after" is a move',
    ]
    for kind, board in boards:
        lines += [f"pos {fen(board, 'fen')}", f"cat {kind}"]
        for move in legal_moves(board):
            san = board.san(move)
            board.push(move)
            lines.append(f"mv {san}\t{fen(board, 'fen')}")
            board.pop()
    return "\n".join(lines) + "\n"


def sets(boards):
    head = """\
suite: every legal move of a position in SAN
expected: python-chess
format: FEN<TAB>SAN SAN ...<TAB>kind of position"""
    rows = []
    for kind, board in boards:
        sans = sorted(board.san(move) for move in board.legal_moves)
        if sans:
            rows.append((fen(board), " ".join(sans), kind))
    return table(head, rows)


def traits(board, move):
    """Returns what is special about a move's notation."""
    san = board.san(move)
    found = []
    if san[0] in PIECES and len(san.rstrip("+#").replace("x", "")) > 3:
        found.append("named origin")
    for sign, name in (("#", "mate"), ("+", "check"), ("=", "promotion"), ("O-O", "castling")):
        if sign in san:
            found.append(name)
    if board.is_en_passant(move):
        found.append("en passant")
    elif "x" in san:
        found.append("capture")
    return " ".join(found) or "plain"


def by_traits(pool, rng, share, most):
    """Picks positions with a move each, so many at most of moves with the same traits."""
    found = {}
    for _, board in rng.shuffled(pool.all()):
        for move in rng.shuffled(legal_moves(board)):
            rows = found.setdefault(traits(board, move), [])
            if len(rows) < share and not any(other is board for other, _ in rows):
                rows.append((board, move))
    rows = [(name, *row) for name in sorted(found) for row in found[name]]
    return rng.shuffled(rows)[:most]


def printed(pool):
    head = """\
suite: moves to print
expected: python-chess
format: FEN<TAB>UCI move<TAB>SAN<TAB>what is special"""
    chosen = by_traits(pool, Random(301), 14, 150)
    return table(head, [(fen(b), uci(b, m), b.san(m), name) for name, b, m in chosen])


def spellings(board, move):
    """Other ways in which people write a move, which mean no other."""
    san = board.san(move)
    bare = san.rstrip("+#")
    yield bare if bare != san else bare + "+", "a check that is missing, or is none"
    yield san + "!?", "a mark"
    if board.is_castling(move):
        yield san.replace("O", "0"), "zeros"
        return
    start, end = chess.square_name(move.from_square), chess.square_name(move.to_square)
    piece = board.piece_at(move.from_square).symbol().upper()
    if piece != "P":
        sign = "x" if "x" in san else ""
        yield f"{piece}{start}{sign}{end}", "the whole origin"
        yield f"{piece}{start}-{end}", "with a dash"
    elif move.promotion:
        yield bare.replace("=", ""), "no sign of promotion"
        letter = bare[-1]
        yield f"{bare[:-2]}({letter})", "the promotion in brackets"
        yield f"{bare[:-2]}/{letter}", "the promotion after a slash"
        yield bare[:-1] + letter.lower(), "the promotion in lower case"
    elif board.is_en_passant(move):
        yield bare + "e.p.", "with e.p."
        yield f"{start}x{end}", "the whole origin"
    if "x" in bare and (piece == "P" or len(bare) == 4):
        yield bare.replace("x", ""), "no sign of capture"
    yield move.uci(), "coordinates"


def unambiguous(board, text, move):
    """Whether no other reading of a lenient text is a legal move: python-chess reads it so, or not at all."""
    try:
        return board.parse_san(text) == move
    except chess.AmbiguousMoveError:
        return False
    except ValueError:
        return True


def accepts(board, text):
    try:
        board.parse_san(text)
        return True
    except ValueError:
        return False


# Texts that are no move in the start position, with the class of their fault.
NO_MOVES = [
    ("", "syntax"), (" ", "syntax"), ("N", "syntax"), ("Ng", "syntax"), ("g", "syntax"), ("3", "syntax"),
    ("Xg3", "syntax"), ("3f", "syntax"), ("Nf9", "syntax"), ("Ni3", "syntax"), ("Nf33", "syntax"),
    ("Nf3Nf3", "syntax"), ("e4e5e6", "syntax"), ("=Q", "syntax"), ("x", "syntax"),
    ("e4=", "syntax"), ("O", "syntax"), ("O-", "syntax"), ("O-O-", "syntax"), ("O-O-O-O", "syntax"),
    ("O O", "syntax"), ("0-O-0-0", "syntax"), ("!", "syntax"), ("+", "syntax"), ("...", "syntax"),
    ("Knight f3", "syntax"), ("N@f3", "syntax"), ("P@e5", "syntax"), ("@f3", "syntax"), ("1", "syntax"),
    ("1.", "syntax"), ("N\0f3", "syntax"), ("Nf3\0", "syntax"), ("Nf3\n", "syntax"), ("e4\t", "syntax"),
    ("\u2115f3", "syntax"), ("\u0435\u0034", "syntax"), (b"Nf3\xff", "syntax"), (b"\xc3(", "syntax"),
    (b"\xe2\x99", "syntax"), ("\u202eNf3", "syntax"), ("Nf3\u200b", "syntax"), ("\x1b[2JNf3", "syntax"),
    ("Nf4", "illegal"), ("Nd2", "illegal"), ("Ng1", "illegal"), ("e5", "illegal"),
    ("e2", "illegal"), ("e3xd4", "illegal"), ("exd3", "illegal"), ("dxe3", "illegal"), ("Ra3", "illegal"),
    ("Bc4", "illegal"), ("Qd4", "illegal"), ("Ke2", "illegal"), ("O-O", "illegal"), ("O-O-O", "illegal"),
    ("0-0", "illegal"), ("e8=Q", "illegal"), ("e4=Q", "illegal"), ("Nf3=Q", "illegal"), ("Nbf3", "illegal"),
    ("N2f3", "illegal"), ("Nh1f3", "illegal"), ("e7e5", "illegal"), ("e2e5", "illegal"), ("a1a2", "illegal"),
]
REPEATED = ["Nf3@rep:+:5000", "@rep:N:70000", "@rep:e4:9999", "e4@rep:\\x00:600", "@rep:O-:4000"]


def refused_in_play(pool, rng, most):
    """SAN of one position that python-chess refuses in another, and SAN that leaves two pieces to choose from."""
    rows, boards = [], [board for _, board in rng.shuffled(pool.all())]
    for board, other in zip(boards, boards[1:]):
        if board.chess960 or other.chess960:
            continue
        for move in legal_moves(other)[:6]:
            text = other.san(move)
            try:
                board.parse_san(text)
            except chess.AmbiguousMoveError:
                rows.append((fen(board), text, "!ambiguous", "reject", "the moves of another position"))
            except chess.IllegalMoveError:
                # What the other position calls a move may be the origin and target of one here.
                if text[0] in PIECES + "O" or "x" not in text:
                    rows.append((fen(board), text, "!illegal", "reject", "the moves of another position"))
                    break
    rows = rng.shuffled(rows)[: most // 2]
    for board in boards:
        for move in legal_moves(board):
            san = board.san(move).rstrip("+#")
            if san[0] in PIECES and len(san.replace("x", "")) > 3 and not board.chess960:
                rows.append((fen(board), san[0] + san[-2:], "!ambiguous", "reject", "an origin that is missing"))
                break
            if move.promotion == chess.QUEEN and len(rows) % 3 == 0:
                text = san.split("=")[0]
                rows.append((fen(board), text, "!promotion-missing", "reject", "a promotion to nothing"))
                break
    return rows[:most]


def parsed(pool):
    head = """\
suite: moves to read. must: every reader takes it; lenient: a reader of games in the wild takes it; reject: an error
expected: python-chess; the spellings of one move, and texts that are no move, are written by hand
format: FEN<TAB>text<TAB>UCI move, or !class of the fault<TAB>must, lenient or reject<TAB>what is special
escapes: \\xNN is a byte, @rep:TEXT:N is a text so many times"""
    rng, rows = Random(302), []
    for name, board, move in by_traits(pool, rng, 5, 60):
        assert board.parse_san(board.san(move)) == move
        rows.append((fen(board), board.san(move), uci(board, move), "must", name))
    for name, board, move in by_traits(pool, rng, 4, 45):
        if board.chess960:
            continue
        for text, how in spellings(board, move):
            if unambiguous(board, text, move):
                rows.append((fen(board), text, uci(board, move), "lenient", how))
    for text, kind in NO_MOVES:
        assert isinstance(text, bytes) or not accepts(chess.Board(), text), text
        rows.append((START, escaped(text), f"!{kind}", "reject", "no move"))
    rows += [(START, text, "!syntax", "reject", "far too long") for text in REPEATED]
    rows += refused_in_play(pool, rng, 70)
    return table(head, rows)


# Texts that are no move in UCI notation, wherever they are read.
NO_UCI = [
    "", " ", "e", "e2", "e2e", "2e4", "e2e4 ", " e2e4", "e2 e4", "e2-e4", "e2xe4", "e2e4e5", "e2e4+", "e2e9",
    "e0e4", "i2i4", "E2E4", "e2E4", "22e4", "eeee", "0000", "000", "00000", "--", "@@@@", "P@e4", "e2e4q",
    "e2e4k", "e2e4=Q", "e2e4Q", "O-O", "Nf3", "e4", "null", "(none)", "e2e4\0", "\0\0\0\0", "e2e4\n", "\u0435\u0032e4",
]


def uci_moves(pool):
    head = """\
suite: moves in UCI notation to read, and how they are printed; ! is an error
expected: python-chess; faults of form are written by hand
format: FEN<TAB>text<TAB>UCI move, or !<TAB>what is special
escapes: \\xNN is a byte"""
    rng, rows = Random(303), [(START, escaped(text), "!", "no move") for text in NO_UCI]
    for name, board, move in by_traits(pool, rng, 4, 60):
        rows.append((fen(board), uci(board, move), uci(board, move), name))
    for _, board in pool.all():
        for move in legal_moves(board):
            if board.is_castling(move) and rng.chance(0.4):
                # The king to its square, or to its rook: whichever the mode does not print.
                other = board.uci(move, chess960=not board.chess960)
                meant = [m for m in legal_moves(board) if m.uci() == other and not board.is_castling(m)]
                expected = other if meant else uci(board, move)
                rows.append((fen(board), other, expected, "castling in the other form"))
    castles = [row for row in rows if row[3].startswith("castling in")]
    rows = [row for row in rows if row not in castles] + rng.shuffled(castles)[:30]
    boards = [board for _, board in rng.shuffled(pool.all())]
    for board in boards[:60]:
        while True:
            move = chess.Move(rng.below(64), rng.below(64))
            legal = {other.uci()[:4] for other in board.legal_moves}
            legal |= {board.uci(m, chess960=mode)[:4] for m in board.legal_moves for mode in (True, False)}
            piece = board.piece_at(move.from_square)
            # Half of them with a piece of the right side, which cannot go there.
            if move.from_square != move.to_square and move.uci() not in legal:
                if len(rows) % 2 or (piece and piece.color == board.turn):
                    break
        rows.append((fen(board), move.uci(), "!", "not legal"))
    for board in boards:
        pinned = [m for m in board.pseudo_legal_moves if not board.is_legal(m) and not m.promotion]
        pinned = [m for m in pinned if not board.is_castling(m)]
        if pinned and rng.chance(0.15):
            move = min(pinned, key=lambda m: m.uci())
            rows.append((fen(board), move.uci(), "!", "leaves the king in check"))
    for board in boards:
        for move in legal_moves(board):
            if move.promotion == chess.QUEEN and rng.chance(0.3):
                rows.append((fen(board), move.uci()[:4], "!", "a promotion to nothing"))
                rows.append((fen(board), move.uci()[:4] + "k", "!", "a promotion to a king"))
                break
    return table(head, rows)


def uci_lines():
    head = """\
suite: games in UCI notation, castling by king and rook, with the position at the end
expected: python-chess
format: FEN<TAB>moves<TAB>FEN at the end"""
    rng, rows = Random(304), []
    while len(rows) < 30:
        board = chess.Board.from_chess960_pos(rng.below(960)) if len(rows) < 24 else chess.Board()
        start, texts, castled = fen(board), [], False
        for _ in range(20 + rng.below(60)):
            moves = legal_moves(board)
            if not moves:
                break
            castles = [move for move in moves if board.is_castling(move)]
            move = rng.pick(castles or moves)
            castled |= bool(castles)
            texts.append(uci(board, move))
            board.push(move)
        if castled or not len(rows) % 6:
            rows.append((start, " ".join(texts), fen(board)))
    return table(head, rows)


def files(pool: Pool, _):
    boards = pool.spread(384) + [("over", board) for board in pool.kinds["over"]]
    seen, unique = set(), []
    for kind, board in boards + pool.all():
        if fen(board, "fen") not in seen and len(unique) < 400:
            seen.add(fen(board, "fen"))
            unique.append((kind, board))
    assert any(captures_en_passant(board) for _, board in unique)
    yield "movegen/complete.txt", move_sets(unique)
    yield "san/sets.tsv", sets(pool.spread(60))
    yield "san/print.tsv", printed(pool)
    yield "san/parse.tsv", parsed(pool)
    yield "san/uci_moves.tsv", uci_moves(pool)
    yield "san/lines.tsv", uci_lines()
