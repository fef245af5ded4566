//! Files as they are found in practice: pasted from web pages and books, concatenated, padded, in old
//! encodings.

use core::convert::Infallible;

use super::super::{Format, Reader, Text, TextPosition, Visitor, games, to_string};
use super::{Trace, trace, trace_with};

#[test]
fn empty_lines_between_moves_are_white_space() {
    for text in [
        "1. e4 e5\n\n2. Nf3 Nc6 *",
        "1. e4\n\ne5 2. Nf3 Nc6 *",
        "1. e4\n\n1... e5\n\n2. Nf3\n\n2... Nc6\n\n*",
        "1. e4\n\n1. ... e5 2. Nf3 Nc6 *",
        "1. e4\n\n1… e5 2. Nf3 Nc6 *",
        "1. e4\r\n\r\ne5\r\n\r\n\r\n2. Nf3 Nc6 *",
        "1. e4\r\re5\r\r2. Nf3 Nc6 *",
        "1. e4 e5\n \t \n2. Nf3 Nc6\n\n\n\n*",
        "1.\n\ne4 e5 2.\n\nNf3 Nc6 *",
        "1. e4 e5\n\n%escape\n\n2. Nf3 Nc6 *",
        "1. e4 e5\n\n12. Nf3 Nc6 *",
    ] {
        assert_eq!(trace(text), "< | e4 e5 Nf3 Nc6 * >", "{text:?}");
    }
    assert_eq!(
        trace("1. e4 {one}\n\n{two} (1. d4\n\nd5\n\n)\n\n1... e5\n\n1-0"),
        "< | e4 {one} {two} ( d4 d5 ) e5 1-0 >"
    );
    assert_eq!(
        trace("1. e4 e5 (\n\n1. d4) *"),
        "< | e4 e5 ( d4 ) * >",
        "a variation that begins after an empty line"
    );
    assert_eq!(
        trace("1. e4 e5\n\n1/2-1/2\n\n[White \"b\"]\n\n*"),
        "< | e4 e5 1/2-1/2 > < White=\"b\" | * >"
    );
}

#[test]
fn an_empty_line_and_the_first_move_or_a_tag_begin_a_game() {
    for text in [
        "1. e4 e5\n\n1. d4 d5",
        "1. e4 e5\n\n1.d4 d5",
        "1. e4 e5\n\n1 d4 d5",
        "1. e4 e5\n\n1d4 d5",
        "1. e4 e5\n\n\n%x\n  1. d4 d5",
    ] {
        assert_eq!(trace(text), "< | e4 e5 > < | d4 d5 >", "{text:?}");
    }
    assert_eq!(
        trace("1. e4 e5\n\n{of the next} 1. d4 d5"),
        "< | e4 e5 > < | {of the next} d4 d5 >"
    );
    assert_eq!(
        trace("1. e4 e5\n\n[White \"x\"]\n1. d4"),
        "< | e4 e5 > < White=\"x\" | d4 >"
    );
    assert_eq!(
        trace("1. e4 (1. c4 c5\n\n1. d4 d5"),
        "< | e4 ( c4 c5 !UnfinishedVariation@1:7'(' ) > < | d4 d5 >"
    );
    // On the same lines, whatever is skipped.
    let skips = || Trace {
        skips_moves: true,
        ..Trace::default()
    };
    assert_eq!(
        trace_with("1. e4 (1. c4 c5\n\n1. d4 d5", skips()),
        "< | > < | >"
    );
    assert_eq!(trace_with("1. e4\n\n2. d4", skips()), "< | >");
}

#[test]
fn what_is_no_game_makes_none() {
    for text in [
        "{only a comment}",
        "{one}\n\n{two}\n",
        "12.",
        "$1 $2",
        "--",
        "1. -- --",
        "---------",
        "Round 3\n-------\n",
        "Hastings, the second day: a report",
        "1. Bundesliga\n=============\n",
        "12. Schacholympiade",
        "Smith 1-0 Jones in round 2",
        "\0\0\0\0",
        "\x1A",
        "\x1A\0\0\n\0",
        "****************\n",
        "* * *\n",
        "[diagram]\n",
        "~~~~~~~~\n++++++\n______\n",
        "<html>\n<body>\n",
        "; nothing\n(no) ) } !",
    ] {
        assert_eq!(trace(text), "", "{text:?}");
    }
}

#[test]
fn text_around_games_belongs_to_none() {
    let game = "[Event \"A\"]\n\n1. e4 e5 1-0";
    let shown = "< Event=\"A\" | e4 e5 1-0 >";
    for (before, after) in [
        ("{a comment before the first game}\n\n", ""),
        ("A heading\n---------\n\n", ""),
        ("Open A, round 1. 20 games, 1-0 won twice\n=====\n", ""),
        ("", "\0\0\0\0"),
        ("", "\n\x1A"),
        ("", " ff"),
        ("", " (on time)"),
        ("", " White resigns\n"),
        ("", " after 45 moves"),
        ("", "\n\nThe end.\n"),
        ("", "\n\n* * *\n"),
        ("", "\n\n[Kasparov, G.]\n"),
        ("[1] Notes\n\n", " [on time]"),
        ("<pre>\n", "\n</pre>\n"),
        ("", "."),
    ] {
        let text = format!("{before}{game}{after}");
        assert_eq!(trace(&text), shown, "{text:?}");
        let twice = format!("{text}\n\n{text}");
        assert_eq!(trace(&twice), format!("{shown} {shown}"), "{twice:?}");
    }
    assert_eq!(
        trace("Hello: 1. e4 e5 *\n\nIn the other game\n\n1. d4 *"),
        "< | e4 e5 * > < | d4 * >"
    );
    assert_eq!(trace("{c}\n\n1. e4 *"), "< | {c} e4 * >");
    assert_eq!(trace("1. . ."), "< | >", "a game that was to be written");
    assert_eq!(trace("1. -- e5 *"), "< | -- e5 * >");
    assert_eq!(
        trace("1. Sf3 d5 2. g3 *"),
        "< | Sf3 d5 g3 * >",
        "moves in another language are a game, and it is for the rules to complain"
    );
}

/// Collects the text outside of games.
#[derive(Default)]
struct Strays(Vec<String>);

impl Visitor for Strays {
    type Output = ();
    type Stop = Infallible;

    fn stray_text(&mut self, place: TextPosition, text: Text<'_>) {
        self.0.push(format!("{place} {}", text.decode()));
    }

    fn end_game(&mut self) {}
}

#[test]
fn text_outside_of_games_is_shown_line_by_line() {
    let strays = |text: &str| {
        let mut strays = Strays::default();
        let read = Reader::new(text.as_bytes()).read_all(&mut strays);
        read.unwrap_or_else(|never| match never {});
        strays.0
    };
    assert_eq!(
        strays(
            "  19th Open, 1-0\n----\n\n[Event \"A\"]\n\n1. e4 *\n\n{c}\n\nThe game: 1. d4 * and more\n"
        ),
        ["1:3 19th Open, 1-0", "2:1 ----", "10:1 The game:"]
    );
    assert_eq!(
        strays("[Event \"A\"]\n\n1. e4 1-0 ff {c}\n\n{d}\n\0\0"),
        [""; 0]
    );
    let long = format!("{}\n\n1. e4 *", "x".repeat(100_000));
    assert_eq!(strays(&long).len(), 1);
    assert!(strays(&long)[0].len() < 200);
}

#[test]
fn zeros_at_the_end_are_padding() {
    assert_eq!(trace("1. e4 e5\0\0\0"), "< | e4 e5 >");
    assert_eq!(trace("1. e4 e5 *\n\0\0\0"), "< | e4 e5 * >");
    assert_eq!(trace("1. e4 e5\n\x1A"), "< | e4 e5 >");
    assert_eq!(trace("[A \"b\"]\n\0\0"), "< A=\"b\" | >");
    let far = format!("1. e4 e5{}", "\0".repeat(100_000));
    assert_eq!(trace(far), "< | e4 e5 >");
    assert_eq!(
        trace("1. e4 \0\0 e5 *"),
        "< | e4 !Unexpected@1:7'\\0\\0' e5 * >"
    );
}

#[test]
fn two_dashes_are_a_null_move_and_three_are_not() {
    assert_eq!(trace("1. e4 -- 2. d4 *"), "< | e4 -- d4 * >");
    assert_eq!(trace("1. e4 --! 2. d4 *"), "< | e4 -- $1 d4 * >");
    assert_eq!(
        trace("1. e4 --- 2. d4 *"),
        "< | e4 !Unexpected@1:7'---' d4 * >"
    );
    assert_eq!(
        trace("1. e4 ---------- 2. d4 *"),
        "< | e4 !Unexpected@1:7'----------' d4 * >"
    );
    assert_eq!(
        trace("1. e4 ==== ** d4 *"),
        "< | e4 !Unexpected@1:7'====' d4 * >"
    );
}

#[test]
fn results_as_people_paste_them() {
    let results = [
        ("½-½", "1/2-1/2"),
        ("½–½", "1/2-1/2"),
        ("½", "1/2-1/2"),
        ("½:½", "1/2-1/2"),
        ("½ - ½", "1/2-1/2"),
        ("1/2–1/2", "1/2-1/2"),
        ("1/2—1/2", "1/2-1/2"),
        ("1/2 - 1/2", "1/2-1/2"),
        ("1/2:1/2", "1/2-1/2"),
        ("1–0", "1-0"),
        ("0–1", "0-1"),
        ("1—0", "1-0"),
        ("1‑0", "1-0"),
        ("0−1", "0-1"),
        ("1‐0", "1-0"),
        ("1:0", "1-0"),
        ("0:1", "0-1"),
        ("1 - 0", "1-0"),
        ("0 - 1", "0-1"),
        ("1 – 0", "1-0"),
        ("1-0", "1-0"),
    ];
    for (text, result) in results {
        let expected = format!("< | e4 e5 {result} >");
        for before in ["1. e4 e5 ", "1. e4 e5\n", "1. e4 e5\n\n", "1. e4 e5 2. "] {
            assert_eq!(trace(format!("{before}{text}")), expected, "{text}");
            assert_eq!(
                trace(format!("{before}{text}\n\n1. d4 *")),
                format!("{expected} < | d4 * >"),
                "{text}"
            );
        }
        let game = format!("[White \"a\"]\n\n{text}\n");
        assert_eq!(trace(game), format!("< White=\"a\" | {result} >"));
    }
    // Latin-1 and Windows-1252 have single bytes for these.
    for (text, result) in [
        (&b"1. e4 e5 \xBD-\xBD"[..], "1/2-1/2"),
        (b"1. e4 e5 1/2\x961/2", "1/2-1/2"),
        (b"1. e4 e5 1\x960", "1-0"),
        (b"1. e4 e5 0\x971", "0-1"),
    ] {
        assert_eq!(trace(text), format!("< | e4 e5 {result} >"), "{text:?}");
    }
    // Not everything with a dash is a result.
    assert_eq!(
        trace("1. e4 (1. d4 1-0\n\n*"),
        "< | e4 ( d4 !UnfinishedVariation@1:7'(' ) 1-0 > < | * >"
    );
    assert_eq!(trace("1. e4 e5 2. Ke2 0-0 *"), "< | e4 e5 Ke2 0-0 * >");
    assert_eq!(trace("1. e4 1 - e5 *"), "< | e4 !Unexpected@1:9'-' e5 * >");
}

#[test]
fn moves_as_people_paste_them() {
    for (text, move_) in [
        ("O‑O", "O-O"),
        ("O–O", "O-O"),
        ("0–0–0", "0-0-0"),
        ("O−O−O+", "O-O-O+"),
        ("О-О", "O-O"),
        ("♘f3", "Nf3"),
        ("♞f6", "Nf6"),
        ("♔e2", "Ke2"),
        ("♕xd5+", "Qxd5+"),
        ("♖×d5", "Rxd5"),
        ("♗\u{FE0E}b5", "Bb5"),
        ("♞\u{FE0F}c6", "Nc6"),
        ("♙e4", "Pe4"),
        ("e8=♕", "e8=Q"),
        ("e8♛#", "e8Q#"),
        ("e×d5", "exd5"),
        ("e2–e4", "e2-e4"),
        ("♘b1–d2", "Nb1-d2"),
    ] {
        assert_eq!(trace(format!("1. {text} *")), format!("< | {move_} * >"));
        assert_eq!(
            trace(format!("1.{text}‼{{c}}(1.{text})*")),
            format!("< | {move_} $3 {{c}} ( {move_} ) * >")
        );
    }
    assert_eq!(trace(b"1. e\xD7d5 Q\xD7d5 *"), "< | exd5 Qxd5 * >");
    let games: Vec<_> = games("1. e4 e5 2. ♘f3 ♞c6 3. ♗c4 ♗c5 4. O‑O ½–½".as_bytes()).collect();
    assert_eq!(games.len(), 1);
    assert_eq!(games[0].errors, []);
    assert_eq!(
        to_string(&games[0].record, Format::Compact),
        "1.e4 e5 2.Nf3 Nc6 3.Bc4 Bc5 4.O-O 1/2-1/2\n"
    );
}

#[test]
fn signs_as_people_paste_them() {
    let signs = [
        ("‼", 3),
        ("⁇", 4),
        ("⁉", 5),
        ("⁈", 6),
        ("□", 7),
        ("∞", 13),
        ("⩲", 14),
        ("⩱", 15),
        ("±", 16),
        ("∓", 17),
        ("+−", 18),
        ("+–", 18),
        ("−+", 19),
        ("–+", 19),
        ("⨀", 22),
        ("⊙", 22),
        ("○", 26),
        ("⟳", 32),
        ("↑", 36),
        ("→", 40),
        ("⇆", 132),
        ("⊕", 138),
        ("∆", 140),
        ("⌓", 142),
    ];
    for (sign, glyph) in signs {
        for text in [format!("1. e4{sign} e5 *"), format!("1. e4 {sign} e5 *")] {
            assert_eq!(trace(&text), format!("< | e4 ${glyph} e5 * >"), "{text}");
        }
    }
    assert_eq!(trace(b"1. e4 \xB1 e5\xB1 *"), "< | e4 $16 e5 $16 * >");
}

#[test]
fn old_encodings() {
    assert_eq!(
        trace(b"[White \"M\xE1rczy\"]\n\n1. e4 {\x93so\x94 \x96 20 \x80} *"),
        "< White=\"Márczy\" | e4 {“so” – 20 €} * >"
    );
    // Both in one text: each is read correctly.
    assert_eq!(
        trace(b"[White \"M\xE1rczy M\xC3\xA1rczy\"] *"),
        "< White=\"Márczy Márczy\" | * >"
    );
}

#[test]
fn a_comment_stays_behind_its_variation() {
    for text in [
        "1.e4 (1.d4) {behind} 1...e5 *\n",
        "1.e4 (1.d4) {behind} *\n",
        "1.e4 {first} (1.d4 {in}) {one} (1.c4) {two} {three} 1...e5 *\n",
        "1.e4 (1.d4 d5 (1...Nf6) {inner} 2.c4) {outer} 1...e5 *\n",
        "1.e4 ({before} 1.d4) {behind} *\n",
    ] {
        let game = games(text.as_bytes()).next().expect("a game");
        assert_eq!(game.errors, []);
        assert_eq!(to_string(&game.record, Format::Compact), text);
    }
    // What belongs to the move itself stays with it.
    let game = games(b"1. e4 (1. d4) $1 {[%clk 0:01:00] behind} *").next();
    assert_eq!(
        to_string(&game.expect("a game").record, Format::Compact),
        "1.e4 $1 {[%clk 0:01:00]} (1.d4) {behind} *\n"
    );
}

#[test]
fn the_variant_stays() {
    for variant in ["Standard", "From Position", "chess"] {
        let text = format!("[Variant \"{variant}\"]\n\n1.e4 *\n");
        let game = games(text.as_bytes()).next().expect("a game");
        assert_eq!(to_string(&game.record, Format::Compact), text);
    }
    let text = "[Variant \"Fischerandom\"]\n\n1. e4 *";
    let game = games(text.as_bytes()).next().expect("a game");
    assert!(to_string(&game.record, Format::Compact).starts_with("[Variant \"Chess960\"]\n[SetUp"));
}
