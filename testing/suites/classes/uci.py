"""Lines that an engine must survive, conversations with it, and ways in which other engines misbehave: all by hand,
and for the lines, mutations of them."""

from . import escaped, table
from .positions import Pool, Random, fen

HUGE = ["-1", "0", "00", "+5", "1.5", "1e9", "0x10", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "18446744073709551616", "9" * 40, "x", "", "\u0661", "NaN", "inf", "2147483648"]

GO = [
    "go depth", "go nodes", "go movetime", "go mate", "go wtime", "go btime", "go winc", "go binc", "go movestogo",
    "go searchmoves", "go searchmoves e2e9", "go searchmoves a1a1 h8h8", "go searchmoves 0000",
    "go searchmoves e2e4 e2e4 e2e4", "go searchmoves depth 1", "go depth 1 searchmoves", "go depth 1 depth 1",
    "go depth depth 1", "go infinite infinite", "go infinite depth 1", "go depth 1 infinite", "go ponder",
    "go ponder ponder", "go ponder movetime 1", "go ponder wtime 1 btime 1", "go movetime 1 wtime 1000",
    "go wtime 0 btime 0", "go wtime -1 btime -1", "go wtime 1 btime 1 winc -1 binc -1", "go wtime 10 btime 10 movestogo 0",
    "go wtime 10 btime 10 movestogo -3", "go wtime btime 100", "go wtime 1 wtime 2 btime 1", "go nodes 1 nodes 1",
    "go nodes 1 depth 1 movetime 1", "go mate 1 mate 1", "go mate 0", "go mate 1000000", "go depth 1 unknown",
    "go unknown depth 1", "go Depth 1", "go DEPTH 1", "go depth=1", "go depth: 1", "go depth 1,2", "go depth 1;",
    "go  depth   1  ", "go\tdepth\t1", "go depth 1\r", "go depth 1 \x00", "go \x00", "go \x1b[2J", "go \x7f",
    "go depth \u0661", "go \U0001f409", "go depth 1 # once", "go -depth 1", "go --depth 1", "go depth one",
    "go infinite 5", "go fast", "go e2e4", "go to sleep", "go movetime 1ms", "go wtime 1s btime 1s",
]

POS = [
    "position", "position ", "position \t", "position start", "position startpos0", "position Startpos", "position STARTPOS",
    "positions startpos", "position=startpos", "position: startpos", "position startpos e2e4", "position startpos move e2e4",
    "position startpos Moves e2e4", "position startpos moves e2e5", "position startpos moves e7e5",
    "position startpos moves e2e4 e2e4", "position startpos moves e2e4 e7e5 e1e3", "position startpos moves 0000",
    "position startpos moves --", "position startpos moves e4", "position startpos moves Nf3", "position startpos moves O-O",
    "position startpos moves e1g1", "position startpos moves e2e4q", "position startpos moves e2e4 e7e5 moves d2d4",
    "position startpos moves e2e4,e7e5", "position startpos moves e2-e4", "position startpos moves E2E4",
    "position startpos moves e2e4 \x00", "position startpos moves \x1b[2J", "position startpos moves e2e4\x00e7e5",
    "position startpos moves a2a3 a7a6 a1a4", "position startpos moves h2h4 h7h5 h1h5", "position startpos fen",
    "position fen", "position fen startpos", "position fen moves e2e4", "position fen ; moves", "position fen 8",
    "position fen 8/8/8/8/8/8/8/8 w - - 0 1", "position fen 8/8/8/8/8/8/8/8", "position fen k7/8/8/8/8/8/8/8 b - - 0 1",
    "position fen k6K/8/8/8/8/8/8/P7 w - - 0 1", "position fen kk5K/8/8/8/8/8/8/8 w - - 0 1",
    "position fen k7/8/8/8/8/8/8/K6q b - - 0 1", "position fen k7/8/8/8/8/8/8/K7 x - - 0 1",
    "position fen k7/8/8/8/8/8/8/K7 w KQkq - 0 1", "position fen k7/8/8/8/8/8/8/K7 w - e6 0 1",
    "position fen k7/8/8/8/8/8/8/K7 w - z9 0 1", "position fen k7/8/8/8/8/8/8/K7 w - - -1 1",
    "position fen k7/8/8/8/8/8/8/K7 w - - 99999999999 1", "position fen k7/8/8/8/8/8/8/K7 w - - 0 99999999999",
    "position fen k7/8/8/8/8/8/8/K7 w - - 0 1 extra", "position fen k7/8/8/8/8/8/8/K7 w - - 0 1 moves a1a3",
    "position fen k7/8/8/8/8/8/8/K7 moves a1a2", "position fen k7/9/8/8/8/8/8/K7 w - - 0 1",
    "position fen k7/8/8/8/8/8/8 w - - 0 1", "position fen k7/8/8/8/8/8/8/8/K7 w - - 0 1",
    "position fen k7/8/8/8/8/8/8/K71 w - - 0 1", "position fen k7 /8/8/8/8/8/8/K7 w - - 0 1",
    "position fen \"k7/8/8/8/8/8/8/K7 w - - 0 1\"", "position fen=k7/8/8/8/8/8/8/K7 w - - 0 1",
    "position fen " + "k" * 64 + " w - - 0 1", "position fen " + "QQQQQQQQ/" * 7 + "KQQQQQQk w - - 0 1",
    "position fen nnnnnnnn/nnnnnnnn/nnnnnnnn/3k4/8/8/8/K7 w - - 0 1 moves", "position fen " + "/" * 500,
    "position fen 4k3/8/8/8/1b5q/5n2/8/4K3 w - - 0 1", "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1 e8e7 e1g1",
    "position fen \x00", "position fen \x1b]0;title\x07", "position fen \U0001f409 w - - 0 1",
    "position startpos moves " + "e2e4 " * 300, "position startpos moves" + " g1f3 g8f6 f3g1 f6g8" * 60 + " a1a8",
    "position moves e2e4", "position kiwipete", "position startpos moves e2e4 e7e5 e1e2 e8e7 e2e1 e7e8 e1g1",
]

OPT = [
    "setoption", "setoption ", "setoption name", "setoption name ", "setoption name value", "setoption value 1",
    "setoption name Hash", "setoption name Hash value", "setoption name Hash value ", "setoption name Hash 16",
    "setoption Hash value 16", "setoption Hash 16", "setoption name=Hash value=16", "setoption name Hash=16",
    "setoption name Hash value 16 value 32", "setoption name Hash value 16 MB", "setoption name name value value",
    "setoption name value value value", "setoption name Hash name Threads value 1", "setoption value 16 name Hash",
    "setoption name Hsah value 16", "setoption name \"Hash\" value 16", "setoption name Hash value \"16\"",
    "setoption name Threads", "setoption name MultiPV value lots", "setoption name Ponder value maybe",
    "setoption name Ponder value 1", "setoption name Ponder value TRUE FALSE", "setoption name UCI_Chess960 value yes",
    "setoption name UCI_Chess960 value 960", "setoption name Clear Hash value now", "setoption name Clear",
    "setoption name UCI_Elo value strong", "setoption name UCI_LimitStrength value limit", "setoption name \x00 value \x00",
    "setoption name \x1b[2J value 1", "setoption name Hash value \x1b[2J", "setoption name Hash value \x00",
    "setoption name \U0001f409 value \U0001f409", "setoption name " + "x" * 3000, "setoption name Hash value " + "1" * 3000,
    "setoption name " + "a b " * 500 + "value " + "c d " * 500, "setoption\tname\tHash\tvalue\tmuch", "SETOPTION name Hash value 16",
    "setoption NAME Hash VALUE 16", "set option name Hash value 16", "setoptions name Hash value 16",
    "option name Hash type spin default 16 min 1 max 2", "setoption name Debug Log File value /dev/null/x",
    "setoption name SyzygyPath value /no/such/folder", "setoption name EvalFile value ../../etc/passwd",
]

OTHER = [
    "", " ", "\t", "   \t  ", "\r", "\x00", "\x00\x00\x00\x00", "\x1b", "\x1b[2J", "\x1b]0;x\x07", "\x07", "\x7f", "\x08\x08\x08",
    "#", ";", "//", "/* */", "--help", "-h", "help", "?", "!", "uci?", "uci!", "ucix", "ucinewgam", "ucinewgamee", "uci_newgame",
    "UCI", "Uci", "u c i", "uciuci", "is ready", "isreadyy", "IsReady", "ISREADY", "readyok", "uciok", "bestmove e2e4",
    "bestmove (none)", "info depth 1", "info string hello", "id name somebody", "id author somebody", "copyprotection ok",
    "registration checking", "register", "register later later", "register name", "register name x code", "register code 1 name",
    "debug", "debug off on", "debug maybe", "debug 1", "DEBUG OFF", "stop now", "stopp", "STOP", "ponderhit now", "ponderhitt",
    "PONDERHIT", "ponder", "perft", "perft x", "divide 1", "eval x", "flip flop", "xboard", "protover 2", "new", "usermove e2e4",
    "e2e4", "e4", "O-O", "1. e4 e5", "1-0", "[Event \"x\"]", "{", "}", "(", "\"", "'", "`id`", "$(id)", "; ls", "| cat", "&& ls",
    "%s%s%s%n", "%d", "{0}", "${PATH}", "../../etc/passwd", "<script>", "\\x41", "\\", "\\n", "NULL", "null", "nil", "true", "exit",
    "quitt", "Quit", "QUIT", "qui", "GET / HTTP/1.1", "Host: localhost", "{\"cmd\":\"uci\"}", "<?xml?>", "\ufeffuci", "\u202euci",
    "\u00a0", "\u2028", "\U0001f409" * 30, "\u0430\u0431\u0432", "x" * 2000, " " * 3000, "uci " * 400, "a b " * 700, "isready\x00",
    "isready isready", "isready now", "\x01\x02\x03", "uci\x00", "d d d", "ucinewgame ucinewgame", "joho debug off", "on", "off",
    b"\xff", b"\xff\xfe", b"\xc3\x28", b"\xe2\x82", b"\xf0\x9f\x92", b"\xed\xa0\x80", b"\xc0\x80", b"uci\xff", b"\xffuci",
    b"setoption name \xff value \xfe", b"position fen \xff", b"position startpos moves \xff\xff", b"\x80" * 500,
    b"\xfe\xffu\x00c\x00i\x00",
]

# What a mutated line must not contain: an end, a search nobody asked for, or more than one line.
NEVER = {"quit", "go", "bench", "perft", "exit", "eval", "d", "flip", "speedtest", "test"}


def mutated(rng, line):
    """Changes a line a little."""
    data = bytearray(line if isinstance(line, bytes) else line.encode())
    for _ in range(1 + rng.below(3)):
        way, at = rng.below(6), rng.below(len(data) + 1)
        words = bytes(data).split(b" ")
        if way == 0:
            data = data[:at]
        elif way == 1:
            data[at:at] = bytes([rng.below(256)])
        elif way == 2 and data:
            data[min(at, len(data) - 1)] ^= 1 << rng.below(8)
        elif way == 3:
            data = bytearray(b" ".join(rng.shuffled(words)))
        elif way == 4:
            data += b" " + rng.pick(words)
        else:
            data = data.swapcase()
    return bytes(data).replace(b"\n", b"\r")


def malformed(pool):
    rng = Random(601)
    good = ["position startpos moves e2e4 e7e5 g1f3", "setoption name Hash value 32", "isready", "uci", "debug off",
            "setoption name MultiPV value 2", "ucinewgame", "register later", "stop", "ponderhit"]
    good += [f"position fen {fen(board)}" for _, board in pool.spread(12)]
    # A dictionary, because a line that is written twice, or a mutation that is a line already, tries nothing new.
    rows = {escaped(line): "go" for line in GO}
    for field in ("depth", "nodes", "movetime", "mate", "movestogo", "wtime"):
        # A search for mate and one to a huge depth end with the command to stop.
        rows |= {escaped(f"go {field} {value}"): "go" for value in HUGE}
    rows |= {escaped(line): "pos" for line in POS}
    rows |= {escaped(line): "opt" for line in OPT}
    for name in ("Hash", "Threads", "MultiPV"):
        values = [value for value in HUGE if value not in ("", "+5")]
        rows |= {escaped(f"setoption name {name} value {value}"): "opt" for value in values}
    rows |= {escaped(line): "other" for line in OTHER}
    while len(rows) < 560:
        line = mutated(rng, rng.pick(good))
        words = {word.lower() for word in line.decode("latin-1").split()}
        if not words & NEVER and b"@" not in line:
            rows.setdefault(escaped(line), "other")
    head = """\
suite: lines that an engine must survive
expected: it answers isready, plays exactly one move for each go once it is stopped and none otherwise, complains in
  at most one line, and keeps the last good position
format: class (go, pos, opt, other)<TAB>line
escapes: \\xNN is a byte"""
    return table(head, rng.shuffled([(kind, line) for line, kind in rows.items()]))


STEPS = """\
# steps: "> TEXT" is sent; "< PATTERN ms=N" must come within N ms, lines before it are passed over; "!< PATTERN
#   until=OTHER" must not come before OTHER does; "~ N" waits N ms; "legal": the last move can be played in the last
#   position; "eof" closes the input; "exit ms=N": it ends with status 0 within N ms
"""

SCRIPTS = {
    "handshake": """\
> uci
< id name * ms=10000
< id author * ms=10000
< option name Hash type spin * ms=10000
< uciok ms=10000
> isready
< readyok ms=10000
> isready
< readyok ms=10000
> quit
exit ms=10000
""",
    "game_with_clocks": """\
> uci
< uciok ms=10000
> setoption name Hash value 8
> setoption name Threads value 1
> ucinewgame
> isready
< readyok ms=20000
> position startpos
> go wtime 600 btime 600 winc 20 binc 20
< bestmove * ms=10000
legal
> position startpos moves d2d4 g8f6 c2c4
> go wtime 500 btime 480 winc 20 binc 20
< bestmove * ms=10000
legal
> position startpos moves d2d4 g8f6 c2c4 e7e6 b1c3 f8b4
> go wtime 300 btime 280 movestogo 2
< bestmove * ms=10000
legal
> quit
exit ms=10000
""",
    "positions": """\
> uci
< uciok ms=10000
> position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1 e8c8
> go depth 4
< info depth * ms=10000
< bestmove * ms=10000
legal
> position fen 7k/8/8/K3pP1r/8/8/8/8 w - e6 0 1
> go depth 4
< bestmove * ms=10000
legal
> position fen 7k/8/5KQ1/8/8/8/8/8 w - - 0 1
> go depth 3
< info *score mate 1* ms=10000
< bestmove * ms=10000
legal
> ucinewgame
> setoption name UCI_Chess960 value true
> position fen 1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1 moves e1g1
> go depth 3
< bestmove * ms=10000
legal
> quit
exit ms=10000
""",
    "stopping": """\
> uci
< uciok ms=10000
> position startpos moves e2e4
> go infinite
!< bestmove * until=info depth 3 *
> isready
< readyok ms=10000
> stop
< bestmove * ms=10000
legal
> stop
> isready
!< bestmove * until=readyok
> go ponder movetime 50
~ 200
> isready
!< bestmove * until=readyok
> ponderhit
< bestmove * ms=10000
legal
> quit
exit ms=10000
""",
    "end_of_input": """\
> uci
< uciok ms=10000
> position startpos
> go infinite
< info depth * ms=10000
eof
exit ms=10000
""",
    "repro": """\
> uci
< uciok ms=10000
> setoption name Threads value 1
> ucinewgame
> position startpos moves c2c4 e7e5
> go nodes 5000
< bestmove * ms=20000
> position startpos moves c2c4 e7e5 b1c3 g8f6
> go nodes 5000
< bestmove * ms=20000
> ucinewgame
> position startpos moves c2c4 e7e5
> go nodes 5000
< bestmove * ms=20000
> position startpos moves c2c4 e7e5 b1c3 g8f6
> go nodes 5000
< bestmove * ms=20000
> quit
exit ms=10000
""",
}

HOSTILE = [
    ("missing", "there is no such program"),
    ("not_executable", "a folder, a text, or bytes that no system runs"),
    ("exits_at_once", "ends before it reads anything"),
    ("exit_code_1_on_uci", "ends with an error when it is greeted"),
    ("segv_on_go", "is killed by a fault when it should think"),
    ("abort_mid_line", "ends in the middle of its answer"),
    ("silent", "reads everything and says nothing"),
    ("no_uciok", "talks about itself and never comes to the end"),
    ("no_readyok", "never says that it is ready"),
    ("ignores_stop", "thinks on when it is stopped"),
    ("ignores_quit", "stays when it is told to leave"),
    ("ignores_sigterm", "stays when the system tells it to leave"),
    ("forks_child", "leaves a child that holds its output open"),
    ("spam_info", "reports as fast as it can, for ever"),
    ("no_newline_flood", "writes one line without an end"),
    ("nul_and_binary", "writes bytes that are no text"),
    ("stderr_flood", "fills its error output"),
    ("slow_drip", "writes a letter now and then"),
    ("closes_stdout", "closes its output and lives on"),
    ("closes_stdin", "closes its input and lives on"),
    ("never_reads", "lets its input fill up"),
    ("illegal_bestmove", "plays a move that is not legal"),
    ("garbage_bestmove", "plays something that is no move, or nothing"),
    ("bestmove_nul", "plays a move with a zero byte"),
    ("double_space", "puts more blanks than one between words"),
    ("bestmove_uppercase", "plays a move in upper case"),
    ("bestmove_twice", "answers twice"),
    ("bestmove_unasked", "answers before it is asked"),
    ("late_bestmove", "answers the last question instead of this one"),
    ("bestmove_castle_960", "castles by its rook in standard chess"),
    ("promotion_missing", "promotes to nothing"),
    ("esc_name", "has a name that acts on a terminal"),
    ("esc_info", "has reports that act on a terminal"),
    ("huge_numbers", "reports numbers that fit nowhere"),
    ("illegal_pv", "reports a long line that nobody can play"),
    ("score_words", "reports scores without a number"),
    ("multipv_huge", "reports a line with a number far too high"),
    ("wdl_bad", "reports two of three chances"),
    ("option_flood", "has a million options"),
    ("option_weird", "has options that make no sense"),
    ("crlf", "ends its lines as Windows does"),
    ("cr_only", "ends its lines with carriage returns alone"),
    ("utf16", "writes two bytes for a letter"),
    ("banner_after_uciok", "talks on after the end of the greeting"),
    ("restart_loop", "ends after each of its moves"),
    ("clock_cheat", "thinks longer than its clock allows"),
]


def files(pool: Pool, _):
    yield "uci/malformed.tsv", malformed(pool)
    yield "uci/hostile.tsv", table(
        """\
suite: ways in which an engine misbehaves; a test covers each by this name
format: name<TAB>what it does""",
        HOSTILE,
    )
    for name, script in SCRIPTS.items():
        yield f"uci/scripts/{name}.txt", f"# script: {name.replace('_', ' ')}\n{STEPS}{script}"
