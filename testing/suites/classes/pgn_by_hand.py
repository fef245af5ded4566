"""Games by hand: the name of a file, its text, and the events of each of its games.

[NAME=VALUE is a tag, {TEXT} a comment, $N a glyph, !KIND@LINE:COLUMN an error; the rest are moves, brackets of
variations and results. Well-known lines carry the ECO codes that every handbook gives them.
"""

ROSTER = '[Event "Club"]\n[Site "Here"]\n[Date "2023.04.05"]\n[Round "1"]\n[White "A"]\n[Black "B"]\n[Result "1-0"]\n'
ROSTER_EVENTS = "[Event=Club [Site=Here [Date=2023.04.05 [Round=1 [White=A [Black=B [Result=1-0".split()


def line(text):
    """Splits events without blanks inside."""
    return text.split()


def opening(eco, moves):
    """A game with an ECO code and the moves of a well-known line."""
    sans = moves.split()
    numbered = [f"{index // 2 + 1}. {san}" if index % 2 == 0 else san for index, san in enumerate(sans)]
    text = f'[Event "Theory"]\n[ECO "{eco}"]\n\n{" ".join(numbered)} *\n'
    return f"opening_{eco}", text, [["[Event=Theory", f"[ECO={eco}", *sans, "*"]]


OPENINGS = [
    opening("C84", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 d4 exd4"),
    opening("B90", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6"),
    opening("C02", "e4 e6 d4 d5 e5 c5 c3 Nc6 Nf3 Qb6"),
    opening("B12", "e4 c6 d4 d5 e5 Bf5 Nf3 e6 Be2 Nd7"),
    opening("D37", "d4 d5 c4 e6 Nc3 Nf6 Nf3 Be7 Bf4 O-O"),
    opening("E97", "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 Nf3 O-O Be2 e5 O-O Nc6"),
    opening("E32", "d4 Nf6 c4 e6 Nc3 Bb4 Qc2 O-O a3 Bxc3+"),
    opening("A29", "c4 e5 Nc3 Nf6 Nf3 Nc6 g3 d5 cxd5 Nxd5"),
    opening("C50", "e4 e5 Nf3 Nc6 Bc4 Bc5 d3 Nf6 O-O d6"),
    opening("D85", "d4 Nf6 c4 g6 Nc3 d5 cxd5 Nxd5 e4 Nxc3 bxc3 Bg7"),
]

# Constructs that the standard knows, or that people write.
READABLE = [
    ("roster", ROSTER + "\n1. e4 e5 2. Nf3 1-0\n", [ROSTER_EVENTS + line("e4 e5 Nf3 1-0")]),
    ("no_tags", "1. d4 d5 2. c4 *\n", [line("d4 d5 c4 *")]),
    ("no_moves", ROSTER + "\n1-0\n", [ROSTER_EVENTS + ["1-0"]]),
    ("no_result", "1. e4 e5 2. Nf3\n", [line("e4 e5 Nf3")]),
    ("no_numbers", "e4 e5 Nf3 Nc6 *", [line("e4 e5 Nf3 Nc6 *")]),
    ("glued_numbers", "1.e4 e5 2.Nf3 2...Nc6 3.Bb5*", [line("e4 e5 Nf3 Nc6 Bb5 *")]),
    ("split_numbers", "1 . e4 1. ... e5 2 Nf3 2 ... Nc6 *", [line("e4 e5 Nf3 Nc6 *")]),
    ("wrong_numbers", "9. e4 3. e5 0. Nf3 777... Nc6 *", [line("e4 e5 Nf3 Nc6 *")]),
    ("windows_lines", ROSTER.replace("\n", "\r\n") + "\r\n1. e4\r\ne5 {a\r\nb} 1-0\r\n", [ROSTER_EVENTS + ["e4", "e5", "{a b}", "1-0"]]),
    ("old_mac_lines", ROSTER.replace("\n", "\r") + "\r1. e4\re5 1-0\r", [ROSTER_EVENTS + line("e4 e5 1-0")]),
    ("byte_order_mark", "\ufeff" + ROSTER + "\n1. c4 1-0\n", [ROSTER_EVENTS + line("c4 1-0")]),
    ("windows_1252", b'[White "M\xfcller"]\n\n1. e4 {na\xefve} e5 *\n', [["[White=M\u00fcller", "e4", "{na\u00efve}", "e5", "*"]]),
    ("many_scripts", '[White "\u0427\u0438\u0433\u043e\u0440\u0438\u043d"]\n[Black "\u738b"]\n\n1. e4 {\u2654 \u6b65} *\n', [["[White=\u0427\u0438\u0433\u043e\u0440\u0438\u043d", "[Black=\u738b", "e4", "{\u2654 \u6b65}", "*"]]),
    ("escape_lines", "% a heading\n1. e4 e5\n% not { here ( either\n2. Nf3 *\n", [line("e4 e5 Nf3 *")]),
    ("semicolons", "1. e4 ; best } by test\n1... e5 ;(\n2. Nf3 *\n", [["e4", "{best } by test}", "e5", "{(}", "Nf3", "*"]]),
    ("comments_everywhere", "{a} 1. {b} e4 {c} {d} (1. d4 {e} d5) {f} 1... e5 {g} * {h}\n", [line("{a} {b} e4 {c} {d} ( d4 {e} d5 ) {f} e5 {g} * {h}")]),
    ("comments_with_signs", "1. e4 {a ( b ) c ; d $1 [x] 1-0 { e} e5 *\n", [["e4", "{a ( b ) c ; d $1 [x] 1-0 { e}", "e5", "*"]]),
    ("long_comment", "1. e4 {" + "word " * 2000 + "} e5 *\n", [["e4", "{" + "word " * 1999 + "word}", "e5", "*"]]),
    ("commands", "1. e4 {[%clk 0:09:58] [%eval 0.31]} e5 {[%csl Ge4][%cal Ge2e4] so} *\n", [["e4", "{[%clk 0:09:58] [%eval 0.31]}", "e5", "{[%csl Ge4][%cal Ge2e4] so}", "*"]]),
    ("nested_variations", "1. e4 (1. d4 (1. c4 (1. b3 (1. a3)))) e5 *\n", [line("e4 ( d4 ( c4 ( b3 ( a3 ) ) ) ) e5 *")]),
    ("variations_in_turn", "1. e4 (1. d4) (1. c4 c5) (1. Nf3) 1... e5 (1... c5) (1... e6) *\n", [line("e4 ( d4 ) ( c4 c5 ) ( Nf3 ) e5 ( c5 ) ( e6 ) *")]),
    ("variations_end_early", "1. e4 () e5 ({only a comment}) 2. Nf3 (2. Nc3 1-0) *\n", [["e4", "(", ")", "e5", "(", "{only a comment}", ")", "Nf3", "(", "Nc3", ")", "*"]]),
    ("null_moves", "1. e4 -- 2. d4 (2. -- e5) *\n", [line("e4 -- d4 ( -- e5 ) *")]),
    ("null_spellings", "1. e4 Z0 2. d4 0000 3. c4 @@@@ 4. f4 *\n", [line("e4 -- d4 -- c4 -- f4 *")]),
    ("glyphs", "1. e4 $1 e5 $2 $14 2. Nf3! Nc6? 3. Bb5!! a6?? 4. Ba4!? Nf6?! *\n", [line("e4 $1 e5 $2 $14 Nf3 $1 Nc6 $2 Bb5 $3 a6 $4 Ba4 $5 Nf6 $6 *")]),
    ("signs", "1. e4 = e5 += 2. Nf3 +/- Nc6 -+ 3. Bb5 \u00b1 a6 \u203c 4. Ba4 +- *\n", [line("e4 $10 e5 $14 Nf3 $16 Nc6 $19 Bb5 $16 a6 $3 Ba4 $18 *")]),
    ("zeros", "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 0-0 *\n", [line("e4 e5 Nf3 Nf6 Bc4 Bc5 O-O O-O *")]),
    ("coordinates", "1. e2e4 e7-e5 2. Ng1f3 Nb8-c6 3. Bf1b5 a7a6 4. Bb5xc6 d7xc6 *\n", [line("e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 *")]),
    ("figurines", "1. e4 e5 2. \u2658f3 \u265ec6 3. \u2657b5 \u2655e7 *\n", [line("e4 e5 Nf3 Nc6 Bb5 Qe7 *")]),
    ("promotions", '[FEN "8/PPPP1k2/8/8/8/8/1K3ppp/8 w - - 0 1"]\n\n1. a8=Q f1=N 2. b8R g1(B) 3. c8/N h1=q *\n', [["[FEN=8/PPPP1k2/8/8/8/8/1K3ppp/8 w - - 0 1", *line("a8=Q f1=N b8=R g1=B c8=N h1=Q *")]]),
    ("in_passing", "1. e4 a6 2. e5 d5 3. exd6e.p. h6 4. dxc7 b5 *\n\n1. e4 a6 2. e5 f5 3. exf6 e.p. *\n", [line("e4 a6 e5 d5 exd6 h6 dxc7 b5 *"), line("e4 a6 e5 f5 exf6 *")]),
    ("checks_by_taste", "1. e4 f6 2. Qh5 g6 3. Qxg6 hxg6+ 4. Bc4# *\n", [line("e4 f6 Qh5+ g6 Qxg6+ hxg6 Bc4 *")]),
    ("results", "1. e4 1-0 1. d4 0-1 1. c4 1/2-1/2 1. b4 * 1. a4 1/2\n", [line("e4 1-0"), line("d4 0-1"), line("c4 1/2-1/2"), line("b4 *"), line("a4 1/2-1/2")]),
    ("results_by_taste", "1. e4 \u00bd\u2013\u00bd\n\n1. d4 1:0\n\n1. c4 0 - 1\n", [line("e4 1/2-1/2"), line("d4 1-0"), line("c4 0-1")]),
    ("tags_alone", '[Event "x"]\n[Black "y"]\n\n[Event "z"]\n', [["[Event=x", "[Black=y"], ["[Event=z"]]),
    ("tags_in_a_line", ' [White "x"] [Black  "y" ]\n1. e4 *\n', [line("[White=x [Black=y e4 *")]),
    ("tags_with_signs", '[Event "a \\"b\\" c\\\\d"]\n[Site "] ["]\n[Why? "{(;%"]\n[White_1 ""]\n\n*\n', [['[Event=a "b" c\\d', "[Site=] [", "[Why?={(;%", "[White_1=", "*"]]),
    ("tags_with_quotes", '[Event "The "Big" Open"]\n\n1. e4 *\n', [['[Event=The "Big" Open', "e4", "*"]]),
    ("tags_twice", '[White "x"]\n[White "y"]\n\n1. e4 *\n', [line("[White=x [White=y e4 *")]),
    ("setup", '[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 3 40"]\n\n40... Kd7 41. e4 *\n', [["[SetUp=1", "[FEN=4k3/8/8/8/8/8/4P3/4K3 b - - 3 40", *line("Kd7 e4 *")]]),
    ("chess960", '[Variant "Chess960"]\n[FEN "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1"]\n\n1. O-O O-O 2. a3 *\n', [["[Variant=Chess960", "[FEN=bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1", *line("O-O O-O a3 *")]]),
    ("no_empty_lines", '[White "x"]\n1. e4 e5\n[White "y"]\n1. d4 *\n[White "z"]\n1. c4\n', [line("[White=x e4 e5"), line("[White=y d4 *"), line("[White=z c4")]),
    ("many_empty_lines", '\n\n\n[White "x"]\n\n\n\n1. e4\n\n\n2... e5\n\n\n\n[White "y"]\n\n*\n\n\n', [line("[White=x e4 e5"), line("[White=y *")]),
    ("a_new_first_move", "1. e4 e5 2. Nf3\n\n1. d4 d5\n", [line("e4 e5 Nf3"), line("d4 d5")]),
    ("other_white_space", "1.\te4\x0be5\x0c2.\u00a0Nf3\u00a0Nc6 *\n", [line("e4 e5 Nf3 Nc6 *")]),
    ("brackets_of_nothing", "((1. e4) e5) ) 2. Nf3 } Nc6 *\n", [line("e4 e5 Nf3 Nc6 *")]),
    ("headings", "Games of the club\n=================\n\n[White \"x\"]\n\n1. e4 *\n", [line("[White=x e4 *")]),
]

# Faults, each with its place.
FAULTY = [
    ("illegal_move", "1. e4 e5 2. Qa8 Nc6 3. Nf3\n\n1. d4 *\n", [line("e4 e5 !Move@1:13"), line("d4 *")]),
    ("illegal_first_move", "1. e5 e6 *\n", [line("!Move@1:4 *")]),
    ("illegal_in_a_variation", "1. e4 (1. Ke2 d5) e5 (1... O-O) 2. Nf3 *\n", [line("e4 ( !Move@1:11 ) e5 ( !Move@1:28 ) Nf3 *")]),
    ("ambiguous_move", "1. Nf3 a6 2. d3 b6 3. Nd2 *\n", [line("Nf3 a6 d3 b6 !Move@1:23 *")]),
    ("promotion_to_nothing", '[FEN "8/P3k3/8/8/8/8/8/K7 w - - 0 1"]\n\n1. a8 Kd7 *\n', [["[FEN=8/P3k3/8/8/8/8/8/K7 w - - 0 1", "!Move@3:4", "*"]]),
    ("move_after_mate", "1. f3 e5 2. g4 Qh4# 3. a3 0-1\n", [line("f3 e5 g4 Qh4# !Move@1:24 0-1")]),
    ("castling_through_check", '[FEN "4kr2/8/8/8/8/8/8/4K2R w K - 0 1"]\n\n1. O-O Ke7 *\n', [["[FEN=4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "!Move@3:4", "*"]]),
    ("pinned_in_passing", '[FEN "7k/3p4/8/K3P2r/8/8/8/8 b - - 0 1"]\n\n1... d5 2. exd6 *\n', [["[FEN=7k/3p4/8/K3P2r/8/8/8/8 b - - 0 1", "d5", "!Move@3:12", "*"]]),
    ("null_move_in_check", "1. e4 f6 2. Qh5+ -- 3. d4 *\n", [line("e4 f6 Qh5+ !NullMoveInCheck@1:18 *")]),
    ("bad_fen", '[FEN "8/8/8/8 w - - 0 1"]\n\n1. e4 e5 1-0\n\n[White "x"]\n\n1. d4 *\n', [["[FEN=8/8/8/8 w - - 0 1", "!Fen@1:7", "1-0"], line("[White=x d4 *")]),
    ("impossible_fen", '[FEN "4k3/8/8/8/8/8/8/K3R3 w - - 0 1"]\n\n1. Kb1 *\n', [["[FEN=4k3/8/8/8/8/8/8/K3R3 w - - 0 1", "!Fen@1:7", "*"]]),
    ("other_game", '[Variant "Atomic"]\n\n1. e4 e5 2. Nf3 *\n', [["[Variant=Atomic", "!Variant@1:11", "*"]]),
    ("text_between_moves", "1. e4 really e5 2. why Nf3 *\n", [line("e4 !Unexpected@1:7 e5 Nf3 *")]),
    ("no_move", "1. e4 f9 e5 *\n", [line("e4 !Unexpected@1:7 e5 *")]),
    ("percent_in_a_line", "1. e4 % e5 *\n", [line("e4 !Unexpected@1:7 e5 *")]),
    ("command_without_comment", "1. e4 [%clk 0:01:00] e5 *\n", [line("e4 !Unexpected@1:7 e5 *")]),
    ("broken_tag", '[White]\n[Black "y"]\n\n1. e4 *\n', [line("!Tag@1:1 [Black=y e4 *")]),
    ("tag_without_quotes", '[White x]\n[Black "y"]\n\n1. e4 *\n', [line("!Tag@1:1 [Black=y e4 *")]),
    ("tag_without_end", '[White "x', [line("!UnfinishedTag@1:1")]),
    ("long_tag", '[White "' + "x" * 70_000 + '"]\n[Black "y"]\n\n1. e4 *\n', [line("!TagTooLong@1:1 [Black=y e4 *")]),
    ("many_tags", "".join(f'[T{n} "{n}"]\n' for n in range(1001)) + "\n1. e4 *\n", [[f"[T{n}={n}" for n in range(1000)] + line("!TooManyTags@1001:1 e4 *")]),
    ("comment_without_end", "1. e4 {and so on", [["e4", "!UnfinishedComment@1:7", "{and so on}"]]),
    ("comment_before_a_game", '1. e4 {and so on\n\n[White "x"]\n\n1. d4 *\n', [["e4", "!UnfinishedComment@1:7", "{and so on}"], line("[White=x d4 *")]),
    ("variation_without_end", "1. e4 (1. d4 d5 1-0\n\n1. c4 *\n", [line("e4 ( d4 d5 !UnfinishedVariation@1:7 ) 1-0"), line("c4 *")]),
    ("too_deep", "1. e4 " + "(1. d4 " * 1001 + ")" * 1001 + " *\n", [["e4", *["(", "d4"] * 1000, "!TooDeep@1:7007", *[")"] * 1000, "*"]]),
    ("no_glyph", "1. e4 $ e5 *\n\n1. d4 $256 d5 *\n", [line("e4 !Glyph@1:7 e5 *"), line("d4 !Glyph@3:7 d5 *")]),
    ("faults_between_games", '1. e4 Qh4 1-0\n\n1. d4 d5 1/2-1/2\n\n[Variant "Bughouse"]\n\n1. e4 *\n\n[White "x"]\n\n1. c4 {open', [line("e4 !Move@1:7 1-0"), line("d4 d5 1/2-1/2"), line("[Variant=Bughouse !Variant@5:11 *"), line("[White=x c4 !UnfinishedComment@11:7 {open}")]),
]

GAMES = OPENINGS + READABLE + FAULTY
