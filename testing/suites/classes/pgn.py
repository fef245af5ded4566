"""Games in PGN with the events that a reader should see.

Games with an origin `random` are events first: random moves, variations, comments and glyphs, which are then written
in many styles, and which python-chess must read as the same events. The others, with unusual spellings and faults,
are texts by hand beside their events by hand, as Tabiya's documentation of what is read says; python-chess plays
their moves.
"""

import copy
import io
import re

import chess
import chess.pgn

from . import escaped, table
from .pgn_by_hand import GAMES
from .positions import Pool, Random, fen, legal_moves

WORDS = "the knight and bishop attack a weak square; White (to move) is better, but 12...Kh8 holds".split()
NAMES = ["Adams, Ann", "Berg, Björn", "Čech, Zoë", "d'Arc, J.", 'Eve "the" Evans', "Back\\slash", "Ω", "x"]


def random_line(rng, board, plies, depth):
    """Returns events of random moves with variations, and the position at the end."""
    events = []
    for _ in range(plies):
        moves = legal_moves(board)
        if not moves:
            break
        move = rng.pick(moves)
        events.append(board.san(move))
        if rng.chance(0.15):
            events.append(f"${1 + rng.below(139)}")
        if rng.chance(0.2):
            events.append("{" + " ".join(rng.pick(WORDS) for _ in range(1 + rng.below(12))) + "}")
        if depth < 4 and len(moves) > 1 and rng.chance(0.12):
            other = board.copy(stack=False)
            first = rng.pick([m for m in moves if m != move])
            events += ["(", other.san(first)]
            other.push(first)
            events += [*random_line(rng, other, rng.below(7), depth + 1)[0], ")"]
        board.push(move)
    return events, board


def random_game(rng, number):
    """Returns the events of a random game."""
    tags = [("Event", f"Random game {number}"), ("Site", "?"), ("Date", f"2024.0{1 + rng.below(9)}.??"), ("Round", "-")]
    tags += [("White", rng.pick(NAMES)), ("Black", rng.pick(NAMES))]
    board = chess.Board()
    if number % 5 == 4:
        board = chess.Board.from_chess960_pos(rng.below(960))
    elif number % 5 == 3:
        for _ in range(21):
            board.push(rng.pick(legal_moves(board)))
        board.clear_stack()
    start = fen(board)
    moves, end = random_line(rng, board, 20 + rng.below(60), 0)
    result = end.result() if end.is_checkmate() else rng.pick(["1-0", "0-1", "1/2-1/2", "*"])
    tags.append(("Result", result))
    if number % 5 >= 3:
        tags += [("SetUp", "1"), ("FEN", start)]
    if number % 5 == 4:
        tags.append(("Variant", "Chess960"))
    before = ["{A comment before the first move}"] if rng.chance(0.3) else []
    return [f"[{name}={value}" for name, value in tags] + before + moves + [result]


class Style:
    """How a text is written."""

    def __init__(self, rng):
        self.end = rng.pick(["\n", "\n", "\r\n"])
        self.width = rng.pick([40, 80, 255, 100_000])
        self.number = rng.pick(["{}. ", "{}.", "{}. ", ""])
        self.semicolons = rng.chance(0.2)
        self.marks = rng.chance(0.5)
        self.zeros = rng.chance(0.2)
        self.checks = rng.chance(0.8)

    def without_semicolons(self):
        style = copy.copy(self)
        style.semicolons = False
        return style


ESCAPED = re.compile(r'\\([\\"])')
MARKS = {"$1": "!", "$2": "?", "$3": "!!", "$4": "??", "$5": "!?", "$6": "?!"}


def written(events, style):
    """Writes events as a game."""
    lines, words, turn = [], [], []
    tags = dict(event[1:].split("=", 1) for event in events if event[0] == "[")
    board = chess.Board(tags.get("FEN", chess.STARTING_FEN), chess960="Variant" in tags)
    # The position before the last move, for a variation to begin from.
    before, numbered = board.copy(), False
    for event in events:
        if event[0] == "[":
            name, value = event[1:].split("=", 1)
            value = value.replace("\\", "\\\\").replace('"', '\\"')
            lines.append(f'[{name} "{value}"]')
        elif event[0] == "{":
            if style.semicolons and len(event) < 60:
                words.append(";" + event[1:-1] + "\0")
            else:
                words.append(event)
            numbered = False
        elif event[0] == "$":
            if style.marks and event in MARKS and words and words[-1][-1] not in "})!?\0":
                words[-1] += MARKS[event]
            else:
                words.append(event)
        elif event == "(":
            turn.append((board, before))
            board, numbered = before.copy(), False
            words.append("(")
        elif event == ")":
            board, before = turn.pop()
            numbered = False
            words.append(")")
        elif event in ("1-0", "0-1", "1/2-1/2", "*"):
            words.append(event)
        else:
            number = ""
            if style.number and (board.turn or not numbered):
                number = style.number.format(board.fullmove_number)
                number = number if board.turn else number.replace(".", "...")
            san = event if style.checks else event.rstrip("+#")
            san = san.replace("O", "0") if style.zeros else san
            words.append(number + san)
            before, numbered = board.copy(), True
            board.push_san(event)
    lines += ["", *wrapped(words, style.width), "", ""]
    return style.end.join(lines)


def wrapped(words, width):
    """Breaks words into lines. A word that ends with a zero byte ends its line."""
    lines, line = [], ""
    for word in words:
        joins = line.endswith("(") or word == ")"
        line = f"{line}{'' if joins or not line else ' '}{word}"
        if line.endswith("\0") or len(line) > width:
            lines.append(line.rstrip("\0"))
            line = ""
    return lines + [line]


class Events(chess.pgn.BaseVisitor):
    """The events as python-chess sees them."""

    def __init__(self):
        self.found = []

    def visit_header(self, name, value):
        # python-chess leaves escaped quotes and backslashes as they are.
        self.found.append(f"[{name}={ESCAPED.sub(lambda found: found[1], value)}")

    def visit_comment(self, comment):
        self.found.append("{" + " ".join(comment.split()) + "}")

    def visit_nag(self, nag):
        self.found.append(f"${nag}")

    def visit_move(self, board, move):
        self.found.append(board.san(move))

    def begin_variation(self):
        self.found.append("(")

    def end_variation(self):
        self.found.append(")")

    def visit_result(self, result):
        self.found.append(result)

    def handle_error(self, error):
        raise error

    def result(self):
        return self.found


def checked(games, styles):
    """Writes games, and lets python-chess read them."""
    text = "".join(written(events, style) for events, style in zip(games, styles))
    # It passes over comments after semicolons.
    plain = "".join(written(events, style.without_semicolons()) for events, style in zip(games, styles))
    source, found = io.StringIO(plain.replace("\r\n", "\n")), []
    while (game := chess.pgn.read_game(source, Visitor=Events)) is not None:
        found.append(game)
    assert found == games, text
    return text.encode()


def numbers(events):
    """Returns what the list of games says about one: plies, moves, comments, glyphs, errors, result, last position."""
    tags = dict(event[1:].split("=", 1) for event in events if event[0] == "[")
    board, depth, plies, moves = chess.Board(), 0, 0, 0
    variant = tags.get("Variant", "-")
    if "FEN" in tags and not any(event.startswith("!Fen") for event in events):
        board = chess.Board(tags["FEN"], chess960="960" in variant)
    result = tags.get("Result", "*")
    for event in events:
        if event in ("(", ")"):
            depth += 1 if event == "(" else -1
        elif event in ("1-0", "0-1", "1/2-1/2", "*"):
            result = event
        elif event[0] not in "[{$!":
            moves += 1
            if depth == 0:
                plies += 1
                if event == "--":
                    board.push(chess.Move.null())
                else:
                    assert board.san(board.parse_san(event)) == event, event
                    board.push_san(event)
    count = lambda sign: sum(event[0] == sign for event in events)
    end = board.fen(en_passant="legal")
    return plies, moves, count("{"), count("$"), count("!"), result, variant, end


def files(pool: Pool, _):
    rng, corpus = Random(701), []
    for number in range(30):
        games = [random_game(rng, number)]
        corpus.append((f"random/{number:02}.pgn", checked(games, [Style(rng)]), games))
    many = [random_game(rng, number) for number in range(30, 42)]
    styles = [Style(rng) for _ in many]
    corpus.append(("random/collection.pgn", checked(many, styles), many))
    for name, text, games in GAMES:
        data = text if isinstance(text, bytes) else text.encode()
        corpus.append((f"by_hand/{name}.pgn", data, games))
    manifest, expected, events = [], [], []
    for name, data, games in corpus:
        yield f"pgn/{name}", data
        counts = [numbers(game) for game in games]
        errors = sum(count[4] for count in counts)
        manifest.append((name, len(data), len(games), sum(count[0] for count in counts), errors))
        for number, (game, count) in enumerate(zip(games, counts), 1):
            expected.append((name, number, *count))
            events.append((name, number, *(escaped_text(event) for event in game)))
    yield "pgn/manifest.tsv", table(
        """\
suite: the files of games
format: file<TAB>bytes<TAB>games<TAB>plies of the main lines<TAB>errors""",
        manifest,
    )
    yield "pgn/expected.tsv", table(
        """\
suite: the games of the files, in numbers
expected: the events of the games; python-chess plays the moves
format: file<TAB>number of the game<TAB>plies of the main line<TAB>moves with those of variations<TAB>comments
  <TAB>glyphs<TAB>errors<TAB>result<TAB>tag Variant<TAB>FEN after the main line""",
        expected,
    )
    yield "pgn/events.tsv", table(
        """\
suite: the games of the files, event by event
expected: of the random games, the events they were made from, which python-chess reads as well; of the others, by hand
format: file<TAB>number of the game<TAB>event<TAB>event ...
  [NAME=VALUE is a tag; (, ) and SAN are moves; {TEXT} is a comment, with every run of white space as one blank;
  $N is a glyph; 1-0, 0-1, 1/2-1/2 and * are results; !KIND@LINE:COLUMN is an error
escapes: \\xNN is a byte""",
        events,
    )


def escaped_text(event):
    """Letters of all languages stay; what could break a line or a column does not."""
    return "".join(sign if sign.isprintable() and sign != "\\" else escaped(sign) for sign in event)
