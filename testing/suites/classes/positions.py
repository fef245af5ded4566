"""Positions to test with: of random games, and built for what is rare in play."""

import random

import chess


class Random:
    """Random numbers that are the same with every version of Python."""

    def __init__(self, seed):
        self.source = random.Random(seed)

    def below(self, end):
        return int(self.source.random() * end)

    def chance(self, share):
        return self.source.random() < share

    def pick(self, items):
        return items[self.below(len(items))]

    def shuffled(self, items):
        items = list(items)
        for index in range(len(items) - 1, 0, -1):
            other = self.below(index + 1)
            items[index], items[other] = items[other], items[index]
        return items


def fen(board, en_passant="legal"):
    """Returns the FEN of a position, in Chess960 with the files of the rooks."""
    if board.chess960:
        return board.shredder_fen(en_passant=en_passant)
    return board.fen(en_passant=en_passant)


def legal_moves(board):
    """Returns the legal moves in an order that depends on nothing else."""
    return sorted(board.legal_moves, key=lambda move: move.uci())


def random_game(rng, board, plies):
    """Plays random moves, captures and checks more often than others, until the game ends or is long."""
    for _ in range(plies):
        moves = legal_moves(board)
        if not moves or board.is_insufficient_material():
            break
        lively = [move for move in moves if board.is_capture(move) or board.gives_check(move)]
        board.push(rng.pick(lively if lively and rng.chance(0.25) else moves))
    board.clear_stack()
    return board


def standard(rng):
    return random_game(rng, chess.Board(), 4 + rng.below(120))


def chess960(rng):
    board = chess.Board.from_chess960_pos(rng.below(960))
    return random_game(rng, board, rng.below(60))


def scatter(rng, board, pieces, squares=chess.SQUARES):
    """Puts pieces on empty squares, pawns not on the outer ranks."""
    for letter in pieces:
        piece = chess.Piece.from_symbol(letter)
        free = [
            square
            for square in squares
            if not board.piece_at(square)
            and (piece.piece_type != chess.PAWN or 0 < chess.square_rank(square) < 7)
        ]
        if free:
            board.set_piece_at(rng.pick(free), piece)


def is_possible(board):
    """Whether a position may arise, by two rules more than python-chess asks for: of two checkers one always slides,
    and a side is not in check already when the other moves its pawn by two squares."""
    checkers = board.checkers()
    if len(checkers) == 2 and not checkers & (board.bishops | board.rooks | board.queens):
        return False
    if board.ep_square is not None:
        before = board.copy()
        step = -8 if board.turn else 8
        pawn = before.remove_piece_at(board.ep_square + step)
        before.set_piece_at(board.ep_square - step, pawn)
        if before.is_check():
            return False
    return board.is_valid()


def until_valid(build, wanted=lambda board: True):
    """Builds positions until one is valid and as wanted."""
    while True:
        board = build()
        if is_possible(board) and wanted(board):
            return board


def maybe_mirrored(rng, board):
    return board.mirror() if rng.chance(0.5) else board


def en_passant(rng):
    """A pawn that has just moved two squares beside others, with lines open on which to be pinned."""
    board = chess.Board(None)
    file, rank = rng.below(8), 4
    board.set_piece_at(chess.square(file, rank), chess.Piece(chess.PAWN, chess.BLACK))
    beside = [other for other in (file - 1, file + 1) if 0 <= other < 8]
    for other in beside if rng.chance(0.4) else [rng.pick(beside)]:
        board.set_piece_at(chess.square(other, rank), chess.Piece(chess.PAWN, chess.WHITE))
    behind = [chess.square(file, 5), chess.square(file, 6)]
    free = [square for square in chess.SQUARES if square not in behind]
    # A king on the rank of the pawns, or anywhere.
    row = [square for square in free if chess.square_rank(square) == rank]
    scatter(rng, board, "K", row if rng.chance(0.4) else free)
    scatter(rng, board, "k", free)
    attackers = ["r", "b", "q", "rb", "rq", "qb", "n", "p"]
    scatter(rng, board, rng.pick(attackers) + rng.pick(["", "P", "Pp", "RB", "Nn"]), free)
    board.turn = chess.WHITE
    board.ep_square = behind[0]
    board.fullmove_number = 1 + rng.below(80)
    return maybe_mirrored(rng, board)


def captures_en_passant(board):
    return any(board.is_en_passant(move) for move in board.pseudo_legal_moves)


def pinned_en_passant(rng):
    def wanted(board):
        passing = [move for move in board.pseudo_legal_moves if board.is_en_passant(move)]
        return any(not board.is_legal(move) for move in passing) and not board.is_check()

    return until_valid(lambda: en_passant(rng), wanted)


def evading_en_passant(rng):
    """A check by the pawn, or by what it uncovered, in which it may be captured in passing."""
    return until_valid(
        lambda: en_passant(rng), lambda board: board.is_check() and captures_en_passant(board)
    )


def any_en_passant(rng):
    return until_valid(lambda: en_passant(rng), captures_en_passant)


def back_rank(rng, board, color):
    """A king and up to two rooks anywhere on their own rank. Returns letters for the rights to castle."""
    rank = 0 if color else 7
    king = 1 + rng.below(6)
    board.set_piece_at(chess.square(king, rank), chess.Piece(chess.KING, color))
    rights = ""
    for files in (range(king), range(king + 1, 8)):
        if rng.chance(0.75):
            file = rng.pick(files)
            board.set_piece_at(chess.square(file, rank), chess.Piece(chess.ROOK, color))
            rights += chess.FILE_NAMES[file] if rng.chance(0.9) else ""
    return rights.upper() if color else rights


def odd_castling(rng):
    """Kings and rooks on odd files of their own ranks, between pieces that block and attack."""

    def build():
        board = chess.Board(None, chess960=True)
        rights = back_rank(rng, board, chess.WHITE) + back_rank(rng, board, chess.BLACK)
        crowd = rng.pick(["", "n", "Bb", "QqN", "PpPp", "Nnb", "RrBn", "qb", "PPppNb"])
        scatter(rng, board, crowd, rng.pick([chess.SQUARES, list(chess.SQUARES[8:56])]))
        board.set_castling_fen(rights or "-")
        board.turn = rng.chance(0.5)
        board.halfmove_clock, board.fullmove_number = rng.below(20), 10 + rng.below(50)
        return board

    wanted = lambda board: board.castling_rights & chess.BB_RANKS[0 if board.turn else 7]
    return until_valid(build, wanted)


def corner_castling(rng):
    """Kings and rooks at home, with pieces that block castling or attack its squares."""

    def build():
        board = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
        scatter(rng, board, rng.pick(["n", "Bb", "QqN", "PpPp", "Nnb", "rB", "qb", "PPppNb", "R"]))
        board.set_castling_fen(rng.pick(["KQkq", "KQkq", "KQ", "kq", "Kq", "Qk", "KQk", "Qkq"]))
        board.turn = rng.chance(0.5)
        return board

    wanted = lambda board: board.castling_rights & chess.BB_RANKS[0 if board.turn else 7]
    return until_valid(build, wanted)


def few(rng, pieces, wanted=lambda board: True):
    """Some pieces and two kings anywhere."""

    def build():
        board = chess.Board(None)
        scatter(rng, board, "Kk" + rng.pick(pieces))
        board.turn = rng.chance(0.5)
        return board

    return until_valid(build, wanted)


def double_check(rng):
    pieces = ["rb", "qn", "RB", "QN", "rnP", "BQp", "RN", "bnN"]
    return few(rng, pieces, lambda board: len(board.checkers()) == 2)


def single_check(rng):
    pieces = ["rQ", "qRN", "BRp", "nQB", "PRb", "rbQN"]
    return few(rng, pieces, lambda board: len(board.checkers()) == 1)


def promotion(rng):
    pieces = ["PPp", "Ppr", "ppR", "PpNn", "PPpp", "PQp", "ppbB"]
    promotes = lambda board: any(move.promotion for move in board.legal_moves)
    return few(rng, pieces, promotes)


def crowded(rng):
    """Several pieces of a kind that reach the same squares."""
    return few(rng, ["QQQr", "NNNNp", "RRRRb", "nnnn", "BBBBN", "qqq", "rrrN", "QQRRn"])


def over(rng):
    return few(rng, ["QQ", "qr", "RR", "Qp", "qp", "rrP"], lambda board: not any(board.legal_moves))


class Pool:
    """How many positions of each kind the suites are made of, and the positions themselves."""

    COUNTS = {
        standard: 170,
        chess960: 110,
        odd_castling: 80,
        corner_castling: 50,
        pinned_en_passant: 50,
        evading_en_passant: 25,
        any_en_passant: 25,
        double_check: 20,
        single_check: 20,
        promotion: 30,
        crowded: 20,
    }

    def __init__(self):
        self.kinds = {}
        for number, (kind, count) in enumerate(self.COUNTS.items()):
            rng = Random(number + 1)
            self.kinds[kind.__name__] = [kind(rng) for _ in range(count)]
        rng = Random(100)
        self.kinds["over"] = [over(rng) for _ in range(16)]

    def all(self):
        """Every kind with a position of it."""
        return [(kind, board) for kind, boards in self.kinds.items() for board in boards]

    def spread(self, count):
        """So many positions, of all kinds in turn."""
        found, index = [], 0
        while len(found) < count:
            for kind, boards in self.kinds.items():
                if index < len(boards):
                    found.append((kind, boards[index]))
            index += 1
        return found[:count]
