#!/usr/bin/env python3
"""Compares `tabiya pgn` with pgn-extract and python-chess on random games.

    pgn_tools.py PATH_OF_TABIYA

Needs pgn-extract (on the path or in /usr/games) and the modules `chess` and `polars`; without one of them it fails and says
so. Where TABIYA_SUITES is set, the real games of the suites are compared too.
"""

import collections
import csv
import io
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

try:
    import chess
    import chess.pgn
except ImportError:
    sys.exit("pgn_tools.py: python-chess is missing, so nothing was compared: pip install chess")

try:
    import polars
except ImportError:
    sys.exit("pgn_tools.py: polars is missing, so nothing was compared: pip install polars")

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
    if rng.random() < 0.3:
        game.headers["Termination"] = rng.choice(["Time forfeit", "Normal", "White won on time"])
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
    if isinstance(expected, dict):
        found, expected = sorted(found.items()), sorted(expected.items())
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
    compare_filters(folder, path, games)
    compare_forms(folder, path, games)
    compare_copies(folder, games)
    compare_stats(folder, path, games)


def number(game):
    return game.headers["Round"]


def read(text):
    """The games of a text, as python-chess reads them."""
    reader = io.StringIO(text)
    return list(iter(lambda: chess.pgn.read_game(reader), None))


def contents(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def pawns(board):
    symbols = board.board_fen(promoted=False)
    return re.sub(r"[^pP/]", "1", re.sub(r"\d", lambda m: "1" * int(m[0]), symbols))


def compare_filters(folder, path, games):
    """What remains of the filters: python-chess has the positions, and Python the tags."""

    def filtered(*flags):
        return ids(tabiya("filter", path, *flags))

    headers = lambda test: holds(lambda game: test(game.headers), games)
    same("last", filtered("--white", "bell", "--last", "7"), headers(lambda h: h["White"] == "Bell, Ben")[-7:])
    same("invert", filtered("--white", "bell", "--invert"), headers(lambda h: h["White"] != "Bell, Ben"))
    same("tag !=", filtered("--tag", "Event!=Club Match"), headers(lambda h: h["Event"] != "Club Match"))
    same("tag !~", filtered("--tag", "Event!~ (open|cup)$"), headers(lambda h: h["Event"] == "Club Match"))
    same("tag >, <=", filtered("--tag", "WhiteElo>2000", "--tag", "Round<=100"), headers(lambda h: int(h["WhiteElo"]) > 2000 and int(h["Round"]) <= 100))
    same("time", filtered("--ended", "time"), headers(lambda h: "ime" in h.get("Termination", "")))
    same("result", filtered("--result", "1/2-1/2"), headers(lambda h: h["Result"] == "1/2-1/2"))
    same("date", filtered("--date", "2001.07..2010"), headers(lambda h: "2001.07" <= h["Date"] < "2011"))
    same("both ratings", filtered("--elo", "1500..2300"), headers(lambda h: all(1500 <= int(h[t]) <= 2300 for t in ("WhiteElo", "BlackElo"))))
    same("black's rating", filtered("--black-elo", "..1700"), headers(lambda h: int(h["BlackElo"]) <= 1700))
    same("event", filtered("--event", "spring"), headers(lambda h: h["Event"] == "Spring Open"))
    same("either player", filtered("--player", "egan"), headers(lambda h: h["Black"] == "Egan, Eve"))

    same("plies", filtered("--plies", "20..60"), holds(lambda g: 20 <= sum(1 for _ in g.mainline_moves()) <= 60, games))
    for at in (3, 40, 77):
        wanted = list(board.epd(en_passant="legal") for board in boards(games[at]))[at % 5 + 2]
        expected = holds(lambda g: any(b.epd(en_passant="legal") == wanted for b in boards(g)), games)
        same(f"position of game {at}", filtered("--position", wanted), expected)
        shape = pawns(games[at].board()) if at == 3 else pawns(list(boards(games[at]))[8])
        expected = holds(lambda g: any(pawns(b) == shape for b in boards(g)), games)
        same(f"pawns of game {at}", filtered("--pawns", shape), expected)
    # A FEN with question marks: a white king on g1, a pawn before it, and anything elsewhere.
    castled = lambda b: b.piece_at(chess.G1) == chess.Piece.from_symbol("K") and b.piece_at(chess.G2) == chess.Piece.from_symbol("P")
    wanted = "????????/????????/????????/????????/????????/????????/??????P?/??????K?"
    same("FEN with ?", filtered("--board", wanted), holds(lambda g: any(map(castled, boards(g))), games))
    mirror = lambda b: castled(b) or castled(b.mirror())
    same("FEN with ?, mirrored", filtered("--board", wanted, "--mirrored"), holds(lambda g: any(map(mirror, boards(g))), games))

    # Openings: the tags that convert writes are what filter goes by.
    classified = read(tabiya("convert", path, "--classify"))
    codes = holds(lambda g: "A01" <= g.headers.get("ECO", "") <= "A05", classified)
    same("ECO range", filtered("--eco", "A01..A05"), codes)
    tagged = os.path.join(folder, "classified.pgn")
    with open(tagged, "w", encoding="utf-8") as file:
        file.write(tabiya("convert", path, "--classify"))
    eco = os.path.join(folder, "eco")
    with open(eco, "w", encoding="utf-8") as file:
        file.write('ECO "A0"\n')
    same("ECO codes, pgn-extract", ids(tabiya("filter", tagged, "--eco", "A00..A09")), ids(extract("-t" + eco, tagged)))
    families = collections.Counter(game.headers.get("Opening") for game in classified)
    family = max((name for name in families if name), key=families.get)
    word = family.split()[0]
    named = lambda g: any(w.startswith(word) for tag in ("Opening", "Variation") for w in g.headers.get(tag, "").replace(":", "").split())
    same(f"opening {word}", filtered("--opening", word), holds(named, classified))

    # A folder is its files, in order.
    below = os.path.join(folder, "below", "deeper")
    os.makedirs(below)
    half = len(games) // 2
    for name, part in [(os.path.join(folder, "below", "a.pgn"), games[:half]), (os.path.join(below, "b.pgn"), games[half:])]:
        with open(name, "w", encoding="utf-8") as file:
            file.write("".join(f"{game}\n\n" for game in part))
    whole = ids(tabiya("filter", os.path.join(folder, "below"), "--elo-difference", "400.."))
    same("a folder", whole, headers(lambda h: abs(int(h["WhiteElo"]) - int(h["BlackElo"])) >= 400))


def compare_forms(folder, path, games):
    """What remains of the forms that games are written in."""
    clocked = os.path.join(folder, "clocked.pgn")
    with open(clocked, "w", encoding="utf-8") as file:
        for game in read(contents(path)):
            for at, node in enumerate(game.mainline()):
                node.set_clock(600 - at)
            print(game, file=file, end="\n\n")
    without = read(tabiya("convert", clocked, "--strip", "clocks"))
    # Lines may be broken in comments.
    comments = lambda games: [[" ".join(node.comment.split()) for node in game.mainline()] for game in games]
    same("without clocks", comments(without), comments(games))
    kept = read(tabiya("convert", clocked))
    clocks = lambda games: [[node.clock() for node in game.mainline()] for game in games]
    same("with clocks", clocks(kept), clocks(read(contents(clocked))))

    seven = read(tabiya("convert", path, "--strip", "tags"))
    roster = ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
    same("seven tags", [list(game.headers) for game in seven], [roster for _ in games])

    # Results that cannot be, mended.
    wrong = os.path.join(folder, "wrong.pgn")
    with open(wrong, "w", encoding="utf-8") as file:
        for game in read(contents(path)):
            *_, board = boards(game)
            if board.is_game_over():
                game.headers["Result"] = "*"
            print(game, file=file, end="\n\n")
    fixed = [game.headers["Result"] for game in read(tabiya("convert", wrong, "--fix-results"))]
    same("results", fixed, [game.headers["Result"] for game in games])

    # Other encodings become UTF-8.
    text = contents(path).replace("Archer, Ann", "Ärcher, Änn")
    for encoding in ("latin-1", "utf-16", "utf-8-sig"):
        other = os.path.join(folder, "other.pgn")
        with open(other, "wb") as file:
            file.write(text.encode(encoding))
        found = [game.headers["White"] for game in read(tabiya("convert", other))]
        same(encoding, found, [g.headers["White"].replace("Archer, Ann", "Ärcher, Änn") for g in games])

    # Tables.
    columns = ["White", "WhiteElo", "Result", "plies", "moves", "uci", "fen"]
    rows = [
        {
            "White": game.headers["White"],
            "WhiteElo": game.headers["WhiteElo"],
            "Result": game.headers["Result"],
            "plies": str(sum(1 for _ in game.mainline_moves())),
            "moves": game.board().variation_san(game.mainline_moves()),
            "uci": " ".join(move.uci() for move in game.mainline_moves()),
            "fen": game.end().board().fen(en_passant="legal"),
        }
        for game in games
    ]
    bare = lambda moves: re.sub(r"\d+\.+\s*", "", moves)
    plain = [{**row, "moves": bare(row["moves"])} for row in rows]
    table = list(csv.DictReader(io.StringIO(tabiya("convert", path, "--to", "csv", "--columns", ",".join(columns)))))
    same("CSV", [{**row, "moves": bare(row["moves"])} for row in table], plain)
    parquet = os.path.join(folder, "games.parquet")
    tabiya("convert", path, "--to", "parquet", "--columns", ",".join(columns), "--out", parquet)
    table = [{name: str(value) for name, value in row.items()} for row in polars.read_parquet(parquet).to_dicts()]
    same("Parquet", [{**row, "moves": bare(row["moves"])} for row in table], plain)
    objects = [json.loads(line) for line in tabiya("convert", path, "--to", "jsonl").splitlines()]
    same("JSON lines", [[move["uci"] for move in game["moves"]] for game in objects], [row["uci"].split() for row in rows])
    same("tags as JSON", [{t["name"]: t["value"] for t in g["tags"]}["White"] for g in objects], [row["White"] for row in rows])

    # Into files, and together again.
    def split(how):
        out = os.path.join(folder, f"split-{how}")
        tabiya("convert", path, "--split", how, "--out", out)
        names = sorted(os.path.join(out, name) for name in os.listdir(out))
        return [ids(contents(name)) for name in names]

    same("split by count", split("60"), [list(map(number, games[at : at + 60])) for at in range(0, len(games), 60)])
    for how, keys in [
        ("player", lambda g: {g.headers["White"], g.headers["Black"]}),
        ("month", lambda g: {g.headers["Date"][:7]}),
    ]:
        groups = collections.defaultdict(list)
        for game in games:
            for key in keys(game):
                groups[key].append(number(game))
        same(f"split by {how}", sorted(split(how)), sorted(groups.values()))
    groups = collections.defaultdict(list)
    for game in read(tabiya("convert", path, "--classify")):
        groups[game.headers.get("ECO")].append(number(game))
    same("split by ECO", sorted(split("eco")), sorted(groups.values()))
    joined = os.path.join(folder, "joined.pgn")
    tabiya("convert", os.path.join(folder, "below"), path, "--out", joined)
    same("joined", ids(contents(joined)), 2 * list(map(number, games)))
    ordered = sorted(games, key=lambda g: (g.headers["Date"], int(number(g))))
    same("sorted the other way", ids(tabiya("convert", path, "--sort", "Date,Round", "--reverse")), [number(g) for g in reversed(ordered)])


def compare_copies(folder, games):
    """Games under other spellings, and games that are the beginning of longer ones."""
    path = os.path.join(folder, "copies.pgn")
    short = {"Archer, Ann": "Archer, A", "Bell, Ben": "Ben Bell", "Cole, Cleo": "Cole,C."}
    long_enough = [game for game in games if 24 <= sum(1 for _ in game.mainline_moves())]
    # Only games whose moves no other has.
    unique = {}
    for game in long_enough:
        unique.setdefault(" ".join(move.uci() for move in game.mainline_moves())[:119], game)
    originals = list(unique.values())
    with open(path, "w", encoding="utf-8") as file:
        for at, game in enumerate(originals):
            copy = read(str(game))[0]
            copy.headers["White"] = short[copy.headers["White"]]
            copy.headers["Round"] = str(1000 + int(number(game)))
            for tag in ("WhiteElo", "BlackElo", "Termination"):
                copy.headers.pop(tag, None)
            if at % 2:
                # The beginning alone.
                nodes = list(copy.mainline())
                nodes[21].variations.clear()
            for node in copy.mainline():
                node.comment, node.nags = "", set()
            print(copy, file=file, end="\n\n")
        for game in originals:
            print(game, file=file, end="\n\n")
        stranger = read(str(originals[0]))[0]
        stranger.headers["White"], stranger.headers["Round"] = "Somebody, Else", "5000"
        print(stranger, file=file, end="\n\n")
    removed = os.path.join(folder, "removed.pgn")
    once = ids(tabiya("dedupe", path, "--quiet", "--removed", removed))
    same("the richer copies", sorted(once, key=int), sorted([number(g) for g in originals] + ["5000"], key=int))
    same("what was taken out", sorted(ids(contents(removed)), key=int), sorted((str(1000 + int(number(g))) for g in originals), key=int))


def compare_stats(folder, path, games):
    """Counts, as JSON and as a picture."""
    picture = os.path.join(folder, "games.svg")
    found = json.loads(tabiya("stats", path, "--json", "--top", "0", "--svg", picture))
    results = collections.Counter(game.headers["Result"] for game in games)
    same("results counted", {key: count for key, count in found["results"].items() if count}, dict(results))
    years = collections.Counter(int(game.headers["Date"][:4]) for game in games)
    same("years counted", {year["year"]: year["games"] for year in found["years"]}, dict(years))
    means = [(int(g.headers["WhiteElo"]) + int(g.headers["BlackElo"])) // 2 for g in games]
    bands = collections.Counter(mean // 200 * 200 for mean in means)
    same("ratings counted", {band["from"]: band["games"] for band in found["ratings"]}, dict(bands))
    players = collections.Counter(game.headers[side] for game in games for side in ("White", "Black"))
    same("players counted", {player["player"]: player["games"] for player in found["players"]}, dict(players))
    won = collections.Counter(g.headers[s] for g in games for s, r in (("White", "1-0"), ("Black", "0-1")) if g.headers["Result"] == r)
    same("their wins", {player["player"]: player["wins"] for player in found["players"]}, dict(won))
    lengths = [sum(1 for _ in game.mainline_moves()) for game in games]
    same("longest and shortest", [found["lengths"][key] for key in ("longest", "shortest", "median")], [max(lengths), min(lengths), statistics.median_low(lengths)])
    openings = collections.Counter(game.headers.get("ECO") for game in read(tabiya("convert", path, "--classify")))
    counted = collections.Counter()
    for opening in found["openings"]:
        counted[opening["eco"]] += opening["games"]
    same("openings counted", dict(counted), dict(openings))
    xml.etree.ElementTree.parse(picture)


def compare_real(suites):
    """Real games: every file that python-chess reads without an error. Texts that are odd on purpose have tests of their own."""
    folders = [os.path.join(suites, name) for name in os.listdir(suites) if name != "inline"]
    found = [(top, names) for folder in folders for top, _, names in os.walk(folder)]
    files = [os.path.join(top, name) for top, names in found for name in names if name.endswith(".pgn")]
    for path in sorted(files):
        with open(path, "rb") as file:
            raw = file.read()
        try:
            games = read(raw.decode("utf-8-sig"))
        except (UnicodeDecodeError, IndexError):
            # Another encoding, or a text that python-chess stumbles over.
            continue
        if not games or any(game.errors or "FEN" in game.headers for game in games):
            continue
        name = os.path.relpath(path, suites)
        uci = [[move.uci() for move in game.mainline_moves()] for game in games]
        table = tabiya("convert", path, "--to", "jsonl", codes=(0, 1)).splitlines()
        same(f"{name}: moves", [[move["uci"] for move in json.loads(line)["moves"]] for line in table], uci)
        # python-chess leaves the backslashes before quotes where they are.
        players = lambda games: [g.headers[side].replace("\\", "") for g in games for side in ("White", "Black")]
        again = read(tabiya("convert", path, codes=(0, 1)))
        same(f"{name}: players", players(again), players(games))
        mates = sum(game.end().board().is_checkmate() for game in games)
        found = len(read(tabiya("filter", path, "--ended", "mate", codes=(0, 1))))
        same(f"{name}: mates", [found], [mates])


with tempfile.TemporaryDirectory() as folder:
    compare(folder)
if "TABIYA_SUITES" in os.environ:
    compare_real(os.path.join(os.environ["TABIYA_SUITES"], "pgn"))
