#!/usr/bin/env python3
"""Compares `tabiya pgn` with pgn-extract and python-chess on random games.

    pgn_tools.py PATH_OF_TABIYA

Needs pgn-extract (on the path or in /usr/games) and the module `chess`; without either it fails and says so.
"""

import io
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import chess
    import chess.pgn
except ImportError:
    sys.exit("pgn_tools.py: python-chess is missing, so nothing was compared: pip install chess")

GAMES = 250
SEED = 20261117


def pgn_extract_path():
    found = shutil.which("pgn-extract") or "/usr/games/pgn-extract"
    if not os.access(found, os.X_OK):
        sys.exit("pgn_tools.py: pgn-extract is missing, so nothing was compared: apt-get install pgn-extract")
    return found


TABIYA = sys.argv[1]
EXTRACT = pgn_extract_path()


def tabiya(*arguments, codes=(0,)):
    done = subprocess.run([TABIYA, "pgn", *arguments], capture_output=True, text=True)
    if done.returncode not in codes:
        sys.exit(f"tabiya pgn {arguments}: exit code {done.returncode}: {done.stderr}")
    return done.stdout


def extract(*arguments):
    done = subprocess.run([EXTRACT, "-s", "--quiet", *arguments], capture_output=True, text=True)
    return done.stdout


def ids(pgn):
    """The games of a text, by their Round, of which each has its own."""
    return re.findall(r'^\[Round "(\d+)"\]', pgn, re.M)


def movetext(pgn):
    """The words of the moves of each game."""
    parts = re.split(r"^\[.*\]\n", pgn, flags=re.M)
    words = [re.sub(r"\d+\.+", " ", part).split() for part in parts]
    return [word for word in words if word]


def shuffle(rng, board, node):
    """Goes back and forth as long as that can be done, up to the third time."""
    back = {}
    for _ in range(8):
        move = back.get(board.turn)
        if move is None or move not in board.legal_moves:
            quiet = [m for m in board.legal_moves if not board.is_zeroing(m) and not board.is_castling(m)]
            if not quiet:
                break
            move = rng.choice(quiet)
        back[board.turn] = chess.Move(move.to_square, move.from_square)
        node = node.add_variation(move)
        board.push(move)
    return node


def random_game(rng, number):
    board = chess.Board()
    game = chess.pgn.Game()
    game.headers["Event"] = rng.choice(["Spring Open", "Autumn Cup", "Club Match"])
    game.headers["Round"] = str(number)
    game.headers["Date"] = f"{rng.randint(1990, 2024)}.{rng.randint(1, 12):02}.{rng.randint(1, 28):02}"
    game.headers["White"] = rng.choice(["Archer, Ann", "Bell, Ben", "Cole, Cleo"])
    game.headers["Black"] = rng.choice(["Dorn, Dan", "Egan, Eve"])
    game.headers["WhiteElo"] = str(rng.randint(1200, 2800))
    game.headers["BlackElo"] = str(rng.randint(1200, 2800))
    node = game
    most = rng.choice([20, 60, 150, 400])
    # Few kinds of first moves, so that sequences occur more than once.
    while not board.is_game_over() and board.ply() < most:
        if board.ply() > 10 and rng.random() < 0.01:
            node = shuffle(rng, board, node)
            break
        moves = list(board.legal_moves)
        captures = [move for move in moves if board.is_capture(move) or move.promotion]
        if board.ply() < 4:
            moves = moves[:3]
        elif captures and rng.random() < 0.5:
            moves = captures
        move = rng.choice(moves)
        node = node.add_variation(move)
        if rng.random() < 0.05:
            node.comment = "a comment"
        if rng.random() < 0.05:
            node.nags.add(rng.choice([1, 2, 5]))
        board.push(move)
    game.headers["Result"] = board.result() if board.is_game_over() else rng.choice(["1-0", "0-1", "1/2-1/2"])
    return game


def boards(game):
    board = game.board()
    yield board
    for move in game.mainline_moves():
        board.push(move)
        yield board


def holds(condition, games):
    return [game.headers["Round"] for game in games if condition(game)]


def last(condition):
    def told(game):
        *_, board = boards(game)
        return condition(board)

    return told


def material(game, wanted, plies):
    run = most = 0
    for board in boards(game):
        sides = ["".join(sorted(p.symbol().upper() for p in board.piece_map().values() if p.color == c)) for c in (True, False)]
        run = run + 1 if sorted(sides) == sorted(wanted) else 0
        most = max(most, run)
    return most >= plies


def without_details(san):
    """A move of a piece with its letter and target alone, as it may be asked for."""
    san = san.rstrip("+#")
    return san[0] + san[-2:] if san[0] in "KQRBN" else san


def has_sequence(game, wanted):
    """Whether the moves occur one after another, with gaps."""
    board, left = game.board(), list(wanted)
    for move in game.mainline_moves():
        if left and without_details(board.san(move)) == left[0]:
            left.pop(0)
        board.push(move)
    return not left


def same(what, found, expected):
    if found != expected:
        pairs = enumerate(zip(found, expected))
        at = next((at for at, (one, other) in pairs if one != other), min(len(found), len(expected)))
        sys.exit(f"{what}: differs from number {at} on\n tabiya: {found[at:at + 1]}\n other:  {expected[at:at + 1]}")
    print(f"{what}: {len(expected)} agree")


def compare(folder):
    rng = random.Random(SEED)
    games = [random_game(rng, number) for number in range(1, GAMES + 1)]
    path = os.path.join(folder, "games.pgn")
    with open(path, "w", encoding="utf-8") as file:
        for game in games:
            print(game, file=file, end="\n\n")

    def filtered(*flags):
        return ids(tabiya("filter", path, *flags))

    def criteria(text):
        name = os.path.join(folder, "criteria")
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
        return name

    # The endings.
    same("mate, pgn-extract", filtered("--ended", "mate"), ids(extract("--checkmate", path)))
    same("stalemate, pgn-extract", filtered("--ended", "stalemate"), ids(extract("--stalemate", path)))
    same("under-promotion, pgn-extract", filtered("--underpromotion"), ids(extract("--underpromotion", path)))
    same("mate", filtered("--ended", "mate"), holds(last(lambda b: b.is_checkmate()), games))
    same("insufficient", filtered("--ended", "insufficient"), holds(last(lambda b: b.is_insufficient_material()), games))
    same("50 moves", filtered("--ended", "50"), holds(last(lambda b: b.halfmove_clock >= 100), games))
    same("repetition", filtered("--ended", "repetition"), holds(last(lambda b: b.is_repetition(3)), games))

    # The tags.
    tags = criteria('WhiteElo >= "2000"\nBlackElo < "2000"\nDate >= "2005"\n')
    flags = ["--white-elo", "2000..", "--tag", "BlackElo<2000", "--tag", "Date>=2005"]
    same("tags, pgn-extract", filtered(*flags), ids(extract("-t" + tags, path)))
    same("player, pgn-extract", filtered("--white", "bell"), ids(extract("-TwBell", path)))
    difference = lambda g: abs(int(g.headers["WhiteElo"]) - int(g.headers["BlackElo"])) <= 50
    same("difference", filtered("--elo-difference", "..50"), holds(difference, games))
    same("regular expression", filtered("--tag", "Event~^(spring|club)"), holds(lambda g: g.headers["Event"][0] in "SC", games))
    same("numbers, pgn-extract", filtered("--games", "3,10..12"), ids(extract("--selectonly", "3,10:12", path)))
    same("first, pgn-extract", filtered("--white", "bell", "--first", "5"), ids(extract("-TwBell", "--stopafter", "5", path)))

    # Positions and moves.
    pattern = criteria('FENPattern "*/*/*/*/*/*/????????/????K?R?"\n')
    same("pattern, pgn-extract", filtered("--board", "*/*/*/*/*/*/*/....K.R", "--plies", "1.."), ids(extract("-t" + pattern, path)))
    mirrored = criteria('FENPatternI "*/??????P?/*/*/*/*/*/*"\n')
    same("mirrored, pgn-extract", filtered("--board", "*/......P", "--mirrored"), ids(extract("-t" + mirrored, path)))
    for pieces, wanted in [("KvKR", ["K", "KR"]), ("KNvKP", ["KN", "KP"]), ("KvK", ["K", "K"])]:
        for plies in (1, 4, 20):
            found = filtered("--material", pieces, "--material-plies", str(plies))
            same(f"material {pieces}, {plies} plies", found, holds(lambda g: material(g, wanted, plies), games))
    for moves in (["Nf3"], ["Kf7", "Ke2"], ["a5", "Ra6"]):
        found = filtered("--moves", "... " + " ... ".join(moves))
        same(f"moves {moves}", found, holds(lambda g: has_sequence(g, moves), games))

    # Other forms.
    strip = "comments,variations,glyphs"
    plain = movetext(extract("-C", "-V", "-N", path))
    same("stripped, pgn-extract", movetext(tabiya("convert", path, "--strip", strip)), plain)
    flags = ["-C", "-V", "-N", "--nochecks"]
    without_checks = lambda text: [[word.rstrip("+#") for word in words] for words in movetext(text)]
    uci = without_checks(tabiya("convert", path, "--strip", strip, "--moves", "uci"))
    # There, the piece that a pawn becomes is a capital letter, which the protocol of engines does not know.
    is_result = re.compile(r"1-0|0-1|1/2-1/2|\*").fullmatch
    moves_alone = lambda games: [[word.lower() for word in words if not is_result(word)] for words in games]
    same("UCI, pgn-extract", moves_alone(uci), moves_alone(movetext(extract("-Wuci", *flags, path))))
    long = without_checks(tabiya("convert", path, "--strip", strip, "--moves", "long"))
    expected = without_checks(extract("-Wxolalg", *flags, path))
    plain_long = lambda games: [[word.replace("=", "") for word in words] for words in games]
    same("long, pgn-extract", plain_long(long), plain_long(expected))
    epd = tabiya("convert", path, "--to", "epd").splitlines()
    expected = [board.epd() for game in games for board in boards(game)]
    same("EPD", [" ".join(line.split()[:4]) for line in epd], expected)
    same("EPD is read again", [chess.Board.from_epd(line)[0].fen() for line in epd], [b.fen() for g in games for b in boards(g)])
    ordered = sorted(games, key=lambda g: (int(g.headers["WhiteElo"]), int(g.headers["Round"])))
    same("sorted", ids(tabiya("convert", path, "--sort", "WhiteElo,Round")), [g.headers["Round"] for g in ordered])

    # Every game twice.
    twice = os.path.join(folder, "twice.pgn")
    text = open(path, encoding="utf-8").read()
    with open(twice, "w", encoding="utf-8") as file:
        file.write(text + text.replace('[Site "?"]', '[Site "nowhere"]'))
    once = subprocess.run([TABIYA, "pgn", "dedupe", twice, "--same-length", "--quiet"], capture_output=True, text=True).stdout
    same("every game once, pgn-extract", sorted(map(int, ids(once))), sorted(map(int, ids(extract("-D", twice)))))
    if once.count('[Site "nowhere"]') != len(ids(once)):
        sys.exit("dedupe: the richer games are to be kept")
    for number, game in enumerate(iter(lambda: chess.pgn.read_game(reader), None) if (reader := io.StringIO(once)) else []):
        if game.errors:
            sys.exit(f"dedupe: game {number} is broken: {game.errors}")


with tempfile.TemporaryDirectory() as folder:
    compare(folder)
