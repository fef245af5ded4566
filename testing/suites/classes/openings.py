"""Names of openings that every player knows, by hand: nothing is taken from a collection."""

from . import table
from .positions import Pool

LINES = """
A00 Polish Opening: b4
A00 Grob Opening: g4
A00 Van't Kruijs Opening: e3
A01 Nimzo-Larsen Attack: b3
A02 Bird Opening: f4
A04 Zukertort Opening: Nf3
A03 Bird Opening: f4 d5
A10 English Opening: c4
A20 English Opening: c4 e5
A30 English Opening: c4 c5
A13 English Opening: c4 e6
A15 English Opening: c4 Nf6
A40 Queen's Pawn Game: d4
A45 Trompowsky Attack: d4 Nf6 Bg5
A51 Indian Defense: d4 Nf6 c4 e5 dxe5 Ne4
A52 Indian Defense: d4 Nf6 c4 e5 dxe5 Ng4
A56 Benoni Defense: d4 Nf6 c4 c5
A57 Benko Gambit: d4 Nf6 c4 c5 d5 b5
A60 Benoni Defense: d4 Nf6 c4 c5 d5 e6
A80 Dutch Defense: d4 f5
A84 Dutch Defense: d4 f5 c4
A87 Dutch Defense: d4 f5 c4 Nf6 g3 g6 Bg2 Bg7 Nf3
B00 King's Pawn Game: e4
B00 Nimzowitsch Defense: e4 Nc6
B00 Owen Defense: e4 b6
B01 Scandinavian Defense: e4 d5
B01 Scandinavian Defense: e4 d5 exd5 Qxd5 Nc3 Qa5
B02 Alekhine Defense: e4 Nf6
B03 Alekhine Defense: e4 Nf6 e5 Nd5 d4 d6 c4 Nb6 f4
B06 Modern Defense: e4 g6
B07 Pirc Defense: e4 d6 d4 Nf6 Nc3 g6
B09 Pirc Defense: e4 d6 d4 Nf6 Nc3 g6 f4
B10 Caro-Kann Defense: e4 c6
B12 Caro-Kann Defense: e4 c6 d4 d5 e5
B13 Caro-Kann Defense: e4 c6 d4 d5 exd5 cxd5
B18 Caro-Kann Defense: e4 c6 d4 d5 Nc3 dxe4 Nxe4 Bf5
B20 Sicilian Defense: e4 c5
B21 Sicilian Defense: e4 c5 d4 cxd4 c3
B22 Sicilian Defense: e4 c5 c3
B23 Sicilian Defense: e4 c5 Nc3
B27 Sicilian Defense: e4 c5 Nf3
B30 Sicilian Defense: e4 c5 Nf3 Nc6 Bb5
B33 Sicilian Defense: e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 Nf6 Nc3 e5
B41 Sicilian Defense: e4 c5 Nf3 e6 d4 cxd4 Nxd4 a6
B51 Sicilian Defense: e4 c5 Nf3 d6 Bb5+
B70 Sicilian Defense: e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 g6
B80 Sicilian Defense: e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 e6
B90 Sicilian Defense: e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6
C00 French Defense: e4 e6
C01 French Defense: e4 e6 d4 d5 exd5 exd5
C02 French Defense: e4 e6 d4 d5 e5
C03 French Defense: e4 e6 d4 d5 Nd2
C10 French Defense: e4 e6 d4 d5 Nc3 dxe4
C11 French Defense: e4 e6 d4 d5 Nc3 Nf6
C15 French Defense: e4 e6 d4 d5 Nc3 Bb4
C21 Center Game: e4 e5 d4 exd4 Qxd4
C23 Bishop's Opening: e4 e5 Bc4
C25 Vienna Game: e4 e5 Nc3
C30 King's Gambit: e4 e5 f4
C31 King's Gambit Declined: e4 e5 f4 d5
C33 King's Gambit Accepted: e4 e5 f4 exf4
C41 Philidor Defense: e4 e5 Nf3 d6
C42 Petrov's Defense: e4 e5 Nf3 Nf6
C44 Ponziani Opening: e4 e5 Nf3 Nc6 c3
C45 Scotch Game: e4 e5 Nf3 Nc6 d4 exd4 Nxd4
C46 Three Knights Opening: e4 e5 Nf3 Nc6 Nc3
C47 Four Knights Game: e4 e5 Nf3 Nc6 Nc3 Nf6
C50 Italian Game: e4 e5 Nf3 Nc6 Bc4
C51 Italian Game: e4 e5 Nf3 Nc6 Bc4 Bc5 b4
C55 Italian Game: e4 e5 Nf3 Nc6 Bc4 Nf6
C60 Ruy Lopez: e4 e5 Nf3 Nc6 Bb5
C65 Ruy Lopez: e4 e5 Nf3 Nc6 Bb5 Nf6
C68 Ruy Lopez: e4 e5 Nf3 Nc6 Bb5 a6 Bxc6
C70 Ruy Lopez: e4 e5 Nf3 Nc6 Bb5 a6
C80 Ruy Lopez: e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Nxe4
C89 Ruy Lopez: e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 O-O c3 d5
D00 Blackmar-Diemer Gambit: d4 d5 e4
D06 Queen's Gambit: d4 d5 c4
D07 Queen's Gambit Declined: d4 d5 c4 Nc6
D08 Queen's Gambit Declined: d4 d5 c4 e5
D10 Slav Defense: d4 d5 c4 c6
D15 Slav Defense: d4 d5 c4 c6 Nf3 Nf6 Nc3
D20 Queen's Gambit Accepted: d4 d5 c4 dxc4
D30 Queen's Gambit Declined: d4 d5 c4 e6
D32 Tarrasch Defense: d4 d5 c4 e6 Nc3 c5
D43 Semi-Slav Defense: d4 d5 c4 c6 Nf3 Nf6 Nc3 e6
D70 Neo-Grünfeld Defense: d4 Nf6 c4 g6 f3 d5
D80 Grünfeld Defense: d4 Nf6 c4 g6 Nc3 d5
D85 Grünfeld Defense: d4 Nf6 c4 g6 Nc3 d5 cxd5 Nxd5
E00 Catalan Opening: d4 Nf6 c4 e6 g3
E12 Queen's Indian Defense: d4 Nf6 c4 e6 Nf3 b6
E11 Bogo-Indian Defense: d4 Nf6 c4 e6 Nf3 Bb4+
E20 Nimzo-Indian Defense: d4 Nf6 c4 e6 Nc3 Bb4
E32 Nimzo-Indian Defense: d4 Nf6 c4 e6 Nc3 Bb4 Qc2
E40 Nimzo-Indian Defense: d4 Nf6 c4 e6 Nc3 Bb4 e3
E60 King's Indian Defense: d4 Nf6 c4 g6
E61 King's Indian Defense: d4 Nf6 c4 g6 Nc3 Bg7
E70 King's Indian Defense: d4 Nf6 c4 g6 Nc3 Bg7 e4
E80 King's Indian Defense: d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 f3
E90 King's Indian Defense: d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 Nf3
"""


def files(pool: Pool, _):
    rows = []
    for entry in LINES.strip().splitlines():
        code, rest = entry.split(" ", 1)
        name, moves = rest.split(": ")
        sans = [f"{index // 2 + 1}. {san}" if index % 2 == 0 else san for index, san in enumerate(moves.split())]
        rows.append((code, name, " ".join(sans)))
    yield "openings/known.tsv", table(
        """\
suite: names of openings: the family, and the letter and first digit of the code
format: code<TAB>name<TAB>moves""",
        rows,
    )
