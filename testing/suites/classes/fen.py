"""FEN to accept, to refuse, and to print. The documentation of Tabiya's reader decides what is refused; whether
a position is possible, python-chess decides as well."""

import chess

from . import escaped, table
from .positions import Pool, Random, fen

PLACEMENT = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"

# Texts that are no FEN, with the reason.
NO_FEN = [
    ("nothing", ""),
    ("blanks only", " \t "),
    ("words", "the initial position w KQkq - 0 1"),
    ("a keyword", f"fen {PLACEMENT} w KQkq - 0 1"),
    ("a keyword", "startpos"),
    ("one field", PLACEMENT),
    ("two fields", f"{PLACEMENT} w"),
    ("three fields", f"{PLACEMENT} w KQkq"),
    ("seven fields", f"{PLACEMENT} w KQkq - 0 1 2"),
    ("seven fields", f"{PLACEMENT} w KQkq - 0 1 moves e2e4"),
    ("operations", f"{PLACEMENT} w KQkq - bm e4;"),
    ("fields in another order", f"w {PLACEMENT} KQkq - 0 1"),
    ("a field that is missing", f"{PLACEMENT} KQkq - 0 1"),
    ("glued fields", f"{PLACEMENT}w KQkq - 0 1"),
    ("glued fields", f"{PLACEMENT} wKQkq - 0 1"),
    ("glued fields", f"{PLACEMENT} w KQkq- 0 1"),
    ("glued fields", f"{PLACEMENT} w KQkq -0 1"),
    ("commas", f"{PLACEMENT},w,KQkq,-,0,1"),
    ("underscores", f"{PLACEMENT}_w_KQkq_-_0_1"),
    ("no-break spaces", f"{PLACEMENT} w KQkq - 0 1".replace(" ", "\u00a0")),
    ("zero bytes", f"{PLACEMENT} w KQkq - 0 1".replace(" ", "\0")),
    ("a zero byte at the end", f"{PLACEMENT} w KQkq - 0 1\0"),
    ("a byte order mark", f"\ufeff{PLACEMENT} w KQkq - 0 1"),
    ("quotes", f'"{PLACEMENT} w KQkq - 0 1"'),
    ("brackets", f"{PLACEMENT}[] w KQkq - 0 1"),
    ("an escape sequence", f"\x1b[31m{PLACEMENT} w KQkq - 0 1"),
    ("seven ranks", "rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("nine ranks", "rnbqkbnr/pppppppp/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("an empty rank", "rnbqkbnr/pppppppp//8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("a slash at the end", f"{PLACEMENT}/ w KQkq - 0 1"),
    ("a slash at the beginning", f"/{PLACEMENT} w KQkq - 0 1"),
    ("slashes only", "/////// w - - 0 1"),
    ("seven squares", "rnbqkbnr/pppppppp/7/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("seven squares", "4k3/8/8/8/8/8/8/4K2 w - - 0 1"),
    ("nine squares", "rnbqkbnr/pppppppp/8p/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("nine squares", "rnbqkbnrr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("nine squares", "4k3/8/8/8/5N4/8/8/4K3 w - - 0 1"),
    ("far too many squares", f"{'P' * 300}/8/8/8/8/8/8/8 w - - 0 1"),
    ("a digit 9", "4k3/9/8/8/8/8/8/4K3 w - - 0 1"),
    ("a digit 0", "4k3/80/8/8/8/8/8/4K3 w - - 0 1"),
    ("a digit 0", "4k30/8/8/8/8/8/8/4K3 w - - 0 1"),
    ("two digits in a row", "4k3/44/8/8/8/8/8/4K3 w - - 0 1"),
    ("two digits in a row", "4k3/8/8/8/8/11111111/8/4K3 w - - 0 1"),
    ("two digits in a row", "4k21/8/8/8/8/8/8/4K3 w - - 0 1"),
    ("a letter of no piece", "4k3/8/8/3x4/8/8/8/4K3 w - - 0 1"),
    ("a letter of no piece", "4k3/8/8/3S4/8/8/8/4K3 w - - 0 1"),
    ("a dot for a square", "4k3/8/8/...../8/8/8/4K3 w - - 0 1"),
    ("a sign for a gap", "4k3/8/8/-/8/8/8/4K3 w - - 0 1"),
    ("a promoted piece", "4k3/8/8/3Q~4/8/8/8/4K3 w - - 0 1"),
    ("a figurine", "4\u265a3/8/8/8/8/8/8/4K3 w - - 0 1"),
    ("a letter of another alphabet", "4\u043a3/8/8/8/8/8/8/4K3 w - - 0 1"),
    ("a digit of another script", "4k3/\u0668/8/8/8/8/8/4K3 w - - 0 1"),
    ("bytes that are no text", b"4k3/8/8/8/8/8/8/4K3 \xff - - 0 1"),
    ("bytes that are no text", b"4k3/8/8/\xc3\x28/8/8/8/4K3 w - - 0 1"),
    ("backslashes", PLACEMENT.replace("/", "\\") + " w KQkq - 0 1"),
    ("a side in upper case", f"{PLACEMENT} W KQkq - 0 1"),
    ("a side in upper case", f"{PLACEMENT} B KQkq - 0 1"),
    ("a side in words", f"{PLACEMENT} white KQkq - 0 1"),
    ("no side", f"{PLACEMENT} - KQkq - 0 1"),
    ("both sides", f"{PLACEMENT} wb KQkq - 0 1"),
    ("a third side", f"{PLACEMENT} r KQkq - 0 1"),
    ("a letter of no right", f"{PLACEMENT} w KQxq - 0 1"),
    ("a letter of no right", f"{PLACEMENT} w KQkqI - 0 1"),
    ("a right twice", f"{PLACEMENT} w KKkq - 0 1"),
    ("a right twice", f"{PLACEMENT} w KQkqk - 0 1"),
    ("a right twice", f"{PLACEMENT} w HHha - 0 1"),
    ("a dash beside rights", f"{PLACEMENT} w KQ- - 0 1"),
    ("two dashes", f"{PLACEMENT} w -- - 0 1"),
    ("rights as digits", f"{PLACEMENT} w 1111 - 0 1"),
    ("a right twice, in letters of both kinds", f"{PLACEMENT} w KHkq - 0 1"),
    ("a right twice, in letters of both kinds", f"{PLACEMENT} w KQkqa - 0 1"),
    ("no square", "4k3/8/8/3Pp3/8/8/8/4K3 w - e 0 1"),
    ("no square", "4k3/8/8/3Pp3/8/8/8/4K3 w - 6 0 1"),
    ("no square", "4k3/8/8/3Pp3/8/8/8/4K3 w - e66 0 1"),
    ("a square beyond the board", "4k3/8/8/3Pp3/8/8/8/4K3 w - i6 0 1"),
    ("a square beyond the board", "4k3/8/8/3Pp3/8/8/8/4K3 w - e9 0 1"),
    ("a square in upper case", "4k3/8/8/3Pp3/8/8/8/4K3 w - E6 0 1"),
    ("a square on a rank of no pawn", "4k3/8/8/3Pp3/8/8/8/4K3 w - e5 0 1"),
    ("a square on a rank of no pawn", "4k3/8/8/3Pp3/8/8/8/4K3 w - e4 0 1"),
    ("a square on a rank of no pawn", "4k3/8/8/3Pp3/8/8/8/4K3 w - e1 0 1"),
    ("two squares", "4k3/8/8/3Pp3/8/8/8/4K3 w - e6d6 0 1"),
    ("a clock below zero", f"{PLACEMENT} w KQkq - -1 1"),
    ("a clock with a plus", f"{PLACEMENT} w KQkq - +5 1"),
    ("a clock with a point", f"{PLACEMENT} w KQkq - 0.5 1"),
    ("a clock in hexadecimal", f"{PLACEMENT} w KQkq - 0x1 1"),
    ("a clock in letters", f"{PLACEMENT} w KQkq - zero 1"),
    ("no clock", f"{PLACEMENT} w KQkq - - 1"),
    ("a clock beyond all numbers", f"{PLACEMENT} w KQkq - 2147483648 1"),
    ("a clock beyond all numbers", f"{PLACEMENT} w KQkq - 99999999999999999999999999 1"),
    ("a move number below zero", f"{PLACEMENT} w KQkq - 0 -7"),
    ("a move number beyond all numbers", f"{PLACEMENT} w KQkq - 0 4294967296"),
    ("a move number in letters", f"{PLACEMENT} w KQkq - 0 one"),
    ("an empty move number", f"{PLACEMENT} w KQkq - 0 -"),
    ("digits of another script", f"{PLACEMENT} w KQkq - \u0660 \u0661"),
    ("a move number with a point", f"{PLACEMENT} w KQkq - 0 1."),
]

# FEN of positions that are impossible, with the reason; python-chess agrees on each.
IMPOSSIBLE = [
    ("no king", "8/8/8/8/8/8/8/8 w - - 0 1"),
    ("no white king", "4k3/8/8/8/8/8/8/8 w - - 0 1"),
    ("no black king", "8/8/8/8/8/8/8/4K3 b - - 0 1"),
    ("no black king", PLACEMENT.replace("k", "q") + " w KQ - 0 1"),
    ("two white kings", "4k3/8/8/8/8/8/8/3KK3 w - - 0 1"),
    ("two black kings", "k6k/8/8/8/8/8/8/4K3 b - - 0 1"),
    ("kings side by side", "8/8/8/3kK3/8/8/8/8 w - - 0 1"),
    ("kings side by side", "8/8/4k3/3K4/8/8/8/8 b - - 0 1"),
    ("a white pawn on the first rank", "4k3/8/8/8/8/8/8/P3K3 w - - 0 1"),
    ("a white pawn on the eighth rank", "P3k3/8/8/8/8/8/8/4K3 w - - 0 1"),
    ("a black pawn on the first rank", "4k3/8/8/8/8/8/8/4K2p w - - 0 1"),
    ("a black pawn on the eighth rank", "4k2p/8/8/8/8/8/8/4K3 b - - 0 1"),
    ("a check by the side to move", "4k3/8/8/8/8/8/8/K3R3 w - - 0 1"),
    ("a check by the side to move", "4k3/3P4/8/8/8/8/8/4K3 w - - 0 1"),
    ("a check by the side to move", "4k3/8/5N2/8/8/8/8/4K3 w - - 0 1"),
    ("a check by the side to move", "4k3/8/8/8/8/8/5p2/4K3 b - - 0 1"),
    ("a check by the side to move", "k7/8/8/8/7b/8/8/4K3 b - - 0 1"),
    ("both sides in check", "4k3/8/8/8/4R2b/8/8/4K3 w - - 0 1"),
    ("a right without a rook", "4k3/8/8/8/8/8/8/4K3 w K - 0 1"),
    ("a right without a rook", "r3k3/8/8/8/8/8/8/R3K3 w Kq - 0 1"),
    ("a right with a rook of the other side", "4k3/8/8/8/8/8/8/4K2r w K - 0 1"),
    ("a right with a king that has moved up", "4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1"),
    ("a right with a rook that has moved up", "4k3/8/8/8/8/8/7R/4K3 w K - 0 1"),
    ("a right of a file without a rook", "4k3/8/8/8/8/8/8/R3K2R w B - 0 1"),
    ("en passant without a pawn", "4k3/8/8/8/8/8/8/4K3 w - e6 0 1"),
    ("en passant without a pawn in front", "4k3/8/8/3P4/8/8/8/4K3 w - e6 0 1"),
    ("en passant on the rank of the other side", "4k3/8/8/8/3pP3/8/8/4K3 w - e3 0 1"),
    ("en passant on a piece", "4k3/8/4n3/3Pp3/8/8/8/4K3 w - e6 0 1"),
    ("en passant with a piece behind", "4k3/4n3/8/3Pp3/8/8/8/4K3 w - e6 0 1"),
    ("en passant of a pawn of the other color", "4k3/8/8/3PP3/8/8/8/4K3 w - e6 0 1"),
    ("three checkers", "4k3/8/8/8/1b5q/5n2/8/4K3 w - - 0 1"),
    ("three checkers", "4k3/8/8/8/b7/8/1n6/r2K4 w - - 0 1"),
    ("nine pawns", "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1"),
    ("seventeen pieces", "4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w KQ - 0 1"),
    ("more queens than pawns to promote", "4k3/8/8/8/8/QQ6/PPPPPPPP/RNBQKBNR w KQ - 0 1"),
]

# Checks that python-chess does not doubt: of two checkers one always slides.
DOUBTED = [
    ("two knights that check", "4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1"),
    ("a knight and a pawn that check", "4k3/8/8/8/8/3n4/5p2/4K3 w - - 0 1"),
]

# Texts that the table of the reader accepts, with what is read in plain form.
UNUSUAL = [
    ("four fields", "4k3/8/8/8/8/8/4P3/4K3 w - -", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
    ("four fields", "8/5k2/8/2p5/8/4K3/8/8 b - -", "8/5k2/8/2p5/8/4K3/8/8 b - - 0 1"),
    ("five fields", "4k3/8/8/8/8/8/4R3/4K3 b - - 7", "4k3/8/8/8/8/8/4R3/4K3 b - - 7 1"),
    ("runs of spaces", "  4k3/8/8/8/8/8/8/R3K3   w  Q -   3    9 ", "4k3/8/8/8/8/8/8/R3K3 w Q - 3 9"),
    ("tabs", "4k3/8/8/8/8/8/8/R3K3\tw\tQ\t-\t3\t9", "4k3/8/8/8/8/8/8/R3K3 w Q - 3 9"),
    ("a line end", "4k3/8/8/8/8/8/8/R3K3 w Q - 3 9\r\n", "4k3/8/8/8/8/8/8/R3K3 w Q - 3 9"),
    ("line ends between", "4k3/8/8/8/8/8/8/R3K3\nw\nQ\n-\n3\n9", "4k3/8/8/8/8/8/8/R3K3 w Q - 3 9"),
    ("leading zeros", "4k3/8/8/8/8/8/8/R3K3 w - - 007 0031", "4k3/8/8/8/8/8/8/R3K3 w - - 7 31"),
    ("move number 0", "4k3/8/8/8/8/8/8/R3K3 w - - 5 0", "4k3/8/8/8/8/8/8/R3K3 w - - 5 1"),
    ("the largest numbers", "4k3/8/8/8/8/8/8/R3K3 w - - 2147483647 2147483647", None),
    ("a clock of 100", "4k3/8/8/8/8/8/8/R3K3 b - - 100 120", None),
    ("a clock of 150", "4k3/8/8/8/8/8/8/R3K3 b - - 150 170", None),
    ("a clock above 150", "4k3/8/8/8/8/8/8/R3K3 b - - 731 800", None),
    ("a clock above the move number", "4k3/8/8/8/8/8/8/R3K3 w - - 80 2", None),
    ("rights in another order", "r3k2r/8/8/8/8/8/8/R3K2R b qkQK - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1"),
    ("rights in another order", "r3k2r/8/8/8/8/8/8/R3K2R w kK - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w Kk - 0 1"),
    ("files of rooks at home", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", None),
    ("files of rooks in another order", "r3k2r/8/8/8/8/8/8/R3K2R w hAaH - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1"),
    ("rights in letters of both kinds", "r3k2r/8/8/8/8/8/8/R3K2R w KAhq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1"),
    ("X-FEN, a king beside its rook", "1k4r1/8/8/8/8/8/8/1K4R1 w Kk - 0 1", "1k4r1/8/8/8/8/8/8/1K4R1 w Gg - 0 1"),
    ("X-FEN, the outermost rook", "4k3/8/8/8/8/8/8/RR2K3 w Q - 0 1", None),
    ("X-FEN, the outermost of two", "3k4/8/8/8/8/8/8/1RR1K1RR w KQ - 0 1", "3k4/8/8/8/8/8/8/1RR1K1RR w HB - 0 1"),
    ("X-FEN, an inner rook by its file", "3k4/8/8/8/8/8/8/1RR1K1RR w GC - 0 1", None),
    ("a pawn that nobody can capture", "4k3/8/8/4p3/8/8/8/4K3 w - e6 0 1", "4k3/8/8/4p3/8/8/8/4K3 w - - 0 1"),
    ("a pawn that somebody can capture", "4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1", None),
    ("a capture that is pinned on its rank", "7k/8/8/K3pP1r/8/8/8/8 w - e6 0 1", "7k/8/8/K3pP1r/8/8/8/8 w - - 0 1"),
    ("a capture that is pinned on its file", "4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4r2k/8/8/3pP3/8/8/8/4K3 w - - 0 1"),
    ("a capture that is pinned on a diagonal", "7k/b7/8/2pP4/8/8/5K2/8 w - c6 0 1", "7k/b7/8/2pP4/8/8/5K2/8 w - - 0 1"),
    ("a capture along the line of its pin", "7k/8/1b6/2Pp4/3K4/8/8/8 w - d6 0 1", "7k/8/1b6/2Pp4/3K4/8/8/8 w - - 0 1"),
    ("nine queens", "QQQQ4/QQQQQ1k1/8/8/8/8/8/4K3 b - - 0 1", None),
    ("bare kings", "8/8/4k3/8/8/4K3/8/8 b - - 12 90", None),
    ("mate", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", None),
    ("stalemate", "7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", None),
]

# Texts on which programs differ: refused, or read as something that is printed and read again.
EITHER = [
    f"{PLACEMENT} w KQkq - 0 1 ;",
    f"{PLACEMENT} w KQkq - 0 1 D1 20",
    f"{PLACEMENT} w KQkq - 1/2 1",
    f"{PLACEMENT} w qkQK - 0 1",
    f"{PLACEMENT} w kqHA - 0 1",
    f"{PLACEMENT} w KQkq e3 0 1",
    f"{PLACEMENT} b KQkq e3 0 1",
    f"{PLACEMENT} w KQkq a6 0 1",
    "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 5 2",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "8/8/8/8/8/8/8/8 b KQkq e3 0 1",
    "kkkkkkkk/8/8/8/8/8/8/KKKKKKKK w - - 0 1",
    "4k3/8/8/8/8/8/8/8 b - - 0 1",
    "R3k3/8/8/8/8/8/8/8 b - - 0 1",
    "pppppppp/8/8/8/4k3/8/8/PPPPKPPP w - - 0 1",
    "p6k/8/8/8/8/2K5/8/R7 w - - 0 1",
    "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/KQQQQQkQ w - - 0 1",
    "nnnnnnnn/nnnnnnnn/nnnnnnnn/nnnnnnnn/8/8/8/k6K b - - 0 1",
    "QQQQQQQQ/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/QQQK1kQQ w - - 0 1",
    "4k3/4r3/8/8/8/8/4R3/4K3 w KQkq - 0 1",
    "r2k3r/8/8/8/8/8/8/R2K3R w KQkq - 0 1",
    "1r2k2r/8/8/8/8/8/8/R3K1R1 w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w HQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w Hh - 0 1",
    "rk5r/8/8/8/8/8/8/RK5R w HAha - 0 1",
    "kr6/8/8/8/8/8/8/KR6 w Bb - 0 1",
    "rk6/8/8/8/8/8/8/RK6 w Aa - 0 1",
    "4k3/8/8/8/4Pp2/8/8/4K3 b - e3 99 60",
    "4k3/8/8/8/4Pp2/8/4R3/4K3 b - e3 0 60",
    "4k3/8/8/8/4Pp2/8/8/4K3 b - f3 0 60",
    "4k3/8/8/3pP2/8/8/8/4K3 w - d6 0 1",
    "k7/8/8/3pP3/8/8/8/7K w - d6 0 4294967295",
    "2b1k3/8/8/3Pp3/8/7K/8/8 w - e6 0 1",
    "4r2k/8/8/4pP2/8/8/8/4K3 w - e6 0 1",
    "7k/8/8/8/8/8/8/K6R w - - 0 0",
    "7k/8/8/8/8/8/8/K6R w - - 000000000000000000000000000001 1",
    "7k/8/8/8/8/8/8/K6R\x0b w - - 0 1",
    "7k/8/8/8/8/8/8/K6R\x0cw - - 0 1",
    "7k/8/8/8/8/8/8/K6R\u2003w\u2003-\u2003-\u20030\u20031",
    "7k/8/8/8/8/8/8/K6R w \u2013 - 0 1",
    b"7k/8/8/8/8/8/8/K6R w - - 0 1\xff",
    b"\xef\xbb\xbf7k/8/8/8/8/8/8/K6R w - - 0 1",
    "\r\n7k/8/8/8/8/8/8/K6R w - - 0 1\r\n\r\n",
    "'7k/8/8/8/8/8/8/K6R w - - 0 1'",
    "[FEN \"7k/8/8/8/8/8/8/K6R w - - 0 1\"]",
    "7k/8/8/8/8/8/8/K6R w - - 0 1\n7k/8/8/8/8/8/8/K6R w - - 0 1",
    "3k4/8/8/8/8/8/8/RRRRKRRR w KQ - 0 1",
    "3k4/8/8/8/8/8/8/RRRRKRRR w GB - 0 1",
    "nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/NNNNKNNN w - - 0 1",
    "4k3/pppppppp/pppppppp/8/8/PPPPPPPP/PPPPPPPP/4K3 w - - 0 1",
]


def mutations(pool, rng, most):
    """Possible positions with one change that makes them impossible by python-chess, whatever is waived."""
    found = []
    for _, board in rng.shuffled(pool.all()):
        other = board.copy()
        square = rng.below(64)
        way = rng.below(4)
        if way == 0:
            other.set_piece_at(square, chess.Piece(chess.KING, rng.chance(0.5)))
        elif way == 1:
            other.remove_piece_at(other.king(rng.chance(0.5)))
        elif way == 2:
            other.turn = not other.turn
            other.ep_square = None
        else:
            rank = rng.pick([0, 7])
            other.set_piece_at(chess.square(square % 8, rank), chess.Piece(chess.PAWN, rng.chance(0.5)))
        fatal = (
            chess.STATUS_NO_WHITE_KING | chess.STATUS_NO_BLACK_KING | chess.STATUS_TOO_MANY_KINGS
            | chess.STATUS_PAWNS_ON_BACKRANK | chess.STATUS_OPPOSITE_CHECK
        )
        status = other.status() & fatal
        if status and len(found) < most:
            reason = "|".join(flag.name for flag in chess.Status(status))
            found.append((reason, fen(other, "fen"), "mutation"))
    return found


def canonical(text, plain):
    """Returns how a text is printed: by python-chess, from the plain form where it cannot read the text itself."""
    text = plain or text
    board = chess.Board(text, chess960=text.split()[2].lower() not in ("-", "kqkq", "kq", "kk", "q", "k", "qq"))
    assert board.is_valid() or "QQQQQ" in text, (text, board.status())
    return fen(board)


def accepted(pool):
    rows = [(note, escaped(text), canonical(text, plain), "by hand") for note, text, plain in UNUSUAL]
    for kind, board in pool.spread(120):
        rows.append((kind, fen(board, "fen"), fen(board, "legal"), "random"))
    return rows


def refused(pool):
    rows = [(reason, escaped(text), "by hand") for reason, text in NO_FEN]
    for reason, text in IMPOSSIBLE:
        board = chess.Board(text, chess960=True)
        assert not board.is_valid(), text
        rows.append((reason, text, "by hand"))
    rows += [(reason, text, "by hand") for reason, text in DOUBTED]
    return rows + mutations(pool, Random(401), 40)


def files(pool: Pool, _):
    yield "fen/accept.tsv", table(
        """\
suite: FEN to accept, and how it is printed: with an en passant square only where a capture there is legal, and with
  the files of the rooks in Chess960
expected: python-chess; what the texts by hand mean, the documentation of the reader
format: note<TAB>FEN<TAB>FEN as printed<TAB>origin
escapes: \\xNN is a byte""",
        accepted(pool),
    )
    yield "fen/accept_chess960.txt", table(
        """\
suite: FEN of Chess960 to accept and to print again, byte by byte, with every en passant square
expected: python-chess
format: FEN""",
        [[fen(board, "fen")] for kind, board in pool.all() if kind in ("chess960", "odd_castling")],
    )
    yield "fen/reject.tsv", table(
        """\
suite: texts to refuse: no FEN, or FEN of an impossible position
expected: the documentation of the reader; python-chess finds each of the positions impossible
format: reason<TAB>FEN<TAB>origin
escapes: \\xNN is a byte""",
        refused(pool),
    )
    yield "fen/either.tsv", table(
        """\
suite: texts that may be refused; what is accepted is printed as FEN that is read again as the same
format: class<TAB>FEN
escapes: \\xNN is a byte""",
        [("differs", escaped(text)) for text in EITHER],
    )
    yield "fen/chess960_start.tsv", table(
        """\
suite: the 960 start positions
expected: python-chess
format: number<TAB>FEN""",
        [(number, fen(chess.Board.from_chess960_pos(number))) for number in range(960)],
    )
