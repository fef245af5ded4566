//! What the reader makes of well-formed text, and of text that is merely readable.

use super::{Trace, trace, trace_with};

#[test]
fn an_ordinary_game() {
    let text = "[Event \"A\"]\n[White \"B\"]\n\n1. e4 e5 2. Nf3 $1 Nc6 {c} (2... d6) 3. Bb5 1-0\n";
    assert_eq!(
        trace(text),
        "< Event=\"A\" White=\"B\" | e4 e5 Nf3 $1 Nc6 {c} ( d6 ) Bb5 1-0 >"
    );
}

#[test]
fn nothing_is_no_game() {
    for text in [
        "",
        " ",
        "\n\n \n",
        "\u{FEFF}",
        "%only\n%escapes",
        "; a comment for nobody\n",
    ] {
        assert_eq!(trace(text), "", "{text:?}");
    }
}

#[test]
fn move_numbers_do_not_matter() {
    for text in [
        "1. e4 e5 2. Nf3 *",
        "1.e4 e5 2.Nf3 *",
        "1.e4 1...e5 2.Nf3*",
        "e4 e5 Nf3 *",
        "1. e4 1. ... e5 2. Nf3 *",
        "7. e4 3... e5 1. Nf3 *",
        "1 e4 e5 2 Nf3 *",
        "1e4 e5 2Nf3 *",
        "1. e4 … e5 2. Nf3 *",
        "12345678901234567890. e4 e5 2..... Nf3 *",
        "1.\te4\x0Be5\x0C2. Nf3 *",
        "1. e4\n1... e5\n2.\nNf3\n*",
        "1. e4\r\ne5 2.\r\nNf3\r\n*",
        "1. e4\re5 2.\rNf3\r*",
        "\u{FEFF}1. e4 \u{FEFF} e5 2.\u{A0}Nf3 *",
        "%escape\n1. e4\n%another { ( [\ne5\n%\n2. Nf3 *",
        "1. e4 } e5 2. Nf3 ) *",
        "((( 1. e4 e5 2. Nf3 *",
    ] {
        assert_eq!(trace(text), "< | e4 e5 Nf3 * >", "{text:?}");
    }
}

#[test]
fn moves_in_many_shapes() {
    let shapes = [
        "e4", "Nf3", "Nbd7", "N1d2", "Nb1d2", "exd5", "Nxd5+", "Qh4#", "Qh4++", "O-O", "O-O-O",
        "O-O+", "0-0", "0-0-0#", "o-o", "e8=Q", "e8Q+", "e8(Q)", "e8/Q", "exd8=N#", "e7e8q",
        "e2e4", "e2-e4", "Ng1xf3", "e8=q", "Pe4", "--", "Z0", "0000", "@@@@", "null",
    ];
    for san in shapes {
        assert_eq!(trace(format!("1. {san} *")), format!("< | {san} * >"));
        assert_eq!(
            trace(format!("1.{san}{{c}}*")),
            format!("< | {san} {{c}} * >")
        );
        assert_eq!(
            trace(format!("d4 {san}!? {san}$7")),
            format!("< | d4 {san} $5 {san} $7 >")
        );
        assert_eq!(
            trace(format!("e4({san})*")),
            format!("< | e4 ( {san} ) * >")
        );
    }
    assert_eq!(
        trace("exf6ep exf6e.p. exf6 e.p. exf6e.p.+ exf6 ep exf6ep# *"),
        "< | exf6 exf6 exf6 exf6 exf6 exf6 * >"
    );
}

#[test]
fn glyphs_and_signs() {
    assert_eq!(
        trace("e4! e5? d4!! d5?? c4!? c5?! b4!!! a4$13 $0 $255 *"),
        "< | e4 $1 e5 $2 d4 $3 d5 $4 c4 $5 c5 $6 b4 $3 a4 $13 $0 $255 * >"
    );
    assert_eq!(
        trace("e4 ! e5 +- d4 -+ d5 +/- c4 -/+ c5 += b4 =+ b5 = a4 ∞ a5 ~ Nf3+- Nc6+/= Qd8+ Kd8=*"),
        "< | e4 $1 e5 $18 d4 $19 d5 $16 c4 $17 c5 $14 b4 $15 b5 $10 a4 $13 a5 $13 Nf3 $18 Nc6 $14 Qd8+ \
         Kd8 $10 * >"
    );
}

#[test]
fn comments_of_both_kinds() {
    assert_eq!(
        trace("{a} e4 {b} {c}{} e5{d}*"),
        "< | {a} e4 {b} {c} {} e5 {d} * >"
    );
    assert_eq!(
        trace("e4 ; to the end } { (\ne5 ;x\r\nd4;\rd5 *"),
        "< | e4 { to the end } { (} e5 {x} d4 {} d5 * >"
    );
    assert_eq!(
        trace("e4 {two\nlines} e5 {and\n\nmore} *"),
        "< | e4 {two\\nlines} e5 {and\\n\\nmore} * >"
    );
    assert_eq!(
        trace("e4 {; ( [ % \n% \\ { *} e5 *"),
        "< | e4 {; ( [ % \\n% \\\\ { *} e5 * >"
    );
    let long = "word ".repeat(1000);
    assert_eq!(
        trace(format!("e4 {{{long}}} e5 ;{long}\n*")),
        format!("< | e4 {{{long}}} e5 {{{long}}} * >")
    );
}

#[test]
fn comments_before_the_moves_survive_empty_lines() {
    assert_eq!(
        trace("[A \"b\"]\n\n{c}\n\n1. e4 *"),
        "< A=\"b\" | {c} e4 * >"
    );
    assert_eq!(
        trace("[A \"b\"]\n\n; c\n\n1. e4 *"),
        "< A=\"b\" | { c} e4 * >"
    );
    assert_eq!(
        trace("[A \"b\"]\n; c\n[B \"d\"]\n1. e4 *"),
        "< A=\"b\" B=\"d\" | e4 * >"
    );
}

#[test]
fn comments_after_the_result_belong_to_the_game() {
    assert_eq!(
        trace("1. e4 1-0 {resigns} $1 ; so\n1. d4 *"),
        "< | e4 1-0 {resigns} $1 { so} > < | d4 * >"
    );
    assert_eq!(trace("1-0 ) } \n*"), "< | 1-0 > < | * >");
}

#[test]
fn variations() {
    assert_eq!(
        trace("1. e4 (1. d4 d5 (1... Nf6 {x}) 2. c4) (1. c4) 1... e5 *"),
        "< | e4 ( d4 d5 ( Nf6 {x} ) c4 ) ( c4 ) e5 * >"
    );
    assert_eq!(trace("1. e4 () e5 ({x}) *"), "< | e4 ( ) e5 ( {x} ) * >");
    assert_eq!(trace("1. e4 ((1. d4) d5) e5 *"), "< | e4 ( d4 ) d5 e5 * >");
    assert_eq!(trace("1. e4 (1. d4))) !? *"), "< | e4 ( d4 ) $5 * >");
    assert_eq!(trace("1. e4 (1. d4 1-0) e5 0-1"), "< | e4 ( d4 ) e5 0-1 >");
}

#[test]
fn results() {
    assert_eq!(
        trace("1-0 0-1 1/2-1/2 * 1/2"),
        "< | 1-0 > < | 0-1 > < | 1/2-1/2 > < | * > < | 1/2-1/2 >"
    );
    assert_eq!(trace("f3 e5 g4 Qh4#0-1"), "< | f3 e5 g4 Qh4# 0-1 >");
    assert_eq!(trace("1. e4 e5 2. 1-0"), "< | e4 e5 1-0 >");
    assert_eq!(trace("1. e4 e5"), "< | e4 e5 >");
}

#[test]
fn where_games_end() {
    assert_eq!(trace("1. e4 e5\n\n1. d4 d5"), "< | e4 e5 > < | d4 d5 >");
    assert_eq!(trace("1. e4 e5\n  \t\n1. d4 d5"), "< | e4 e5 > < | d4 d5 >");
    assert_eq!(trace("1. e4\n%x\n\n1. d4"), "< | e4 > < | d4 >");
    assert_eq!(
        trace("1. e4\n[White \"x\"]\n1. d4"),
        "< | e4 > < White=\"x\" | d4 >"
    );
    assert_eq!(
        trace("1. e4 [Event \"x\"] 1. d4"),
        "< | e4 > < Event=\"x\" | d4 >"
    );
    assert_eq!(
        trace("[White \"Me\"] *[White \"Me\"]1. e4 e5 * "),
        "< White=\"Me\" | * > < White=\"Me\" | e4 e5 * >"
    );
    assert_eq!(
        trace("[Event \"a\"]\n[White \"b\"]\n\n[Event \"c\"]\n\n[White \"d\"]\n\n*"),
        "< Event=\"a\" White=\"b\" | > < Event=\"c\" White=\"d\" | * >"
    );
    assert_eq!(
        trace(
            " [One \"1\"] [Two \"2\"]\n%[Three \"%\"]\n[Three \"3\"]\n\n\n [Four \"4\"]*\n\n [Five \"5\"]"
        ),
        "< One=\"1\" Two=\"2\" Three=\"3\" Four=\"4\" | * > < Five=\"5\" | >"
    );
    assert_eq!(
        trace("[White \"hello\\\" \"][Black \"world\"]1.f3! e5$71 2.g4 ?? (-- {}) Qh4#0-1"),
        "< White=\"hello\\\" \" Black=\"world\" | f3 $1 e5 $71 g4 $4 ( -- {} ) Qh4# 0-1 >"
    );
}

#[test]
fn tags_that_need_a_second_look() {
    let tags = [
        ("[Event \"a\"]", "Event=\"a\""),
        ("[ Event   \"a\"  ]", "Event=\"a\""),
        ("[\tEvent\t\"a\"\t]", "Event=\"a\""),
        (
            "[WhiteRatingDifferenceOfAllTime \"a\"]",
            "WhiteRatingDifferenceOfAllTime=\"a\"",
        ),
        ("[White_Elo \"2700\"]", "White_Elo=\"2700\""),
        ("[Why? \"a\"]", "Why?=\"a\""),
        ("[Event \"\"]", "Event=\"\""),
        ("[Event \"[=0040.34h5a4]\"]", "Event=\"[=0040.34h5a4]\""),
        (
            "[Event \"closing ] opening\"]",
            "Event=\"closing ] opening\"",
        ),
        (
            "[Event \"a \\\"b\\\" \\\\ \\n\"]",
            "Event=\"a \\\"b\\\" \\\\ \\\\n\"",
        ),
        ("[Event \"Tournament \\\"]", "Event=\"Tournament \\\\\""),
        (
            "[Event \"Club \"Victory\"\"]",
            "Event=\"Club \\\"Victory\\\"\"",
        ),
        (
            "[Event \"The \"X\" Open\" ] ",
            "Event=\"The \\\"X\\\" Open\"",
        ),
        ("[Event \"two\nlines\"]", "Event=\"two\\nlines\""),
        ("[Event \"a\rb\x08\x7F\"]", "Event=\"a\\rb\\u{8}\\u{7f}\""),
        ("[Event \"Café Ελ\"]", "Event=\"Café Ελ\""),
    ];
    for (text, expected) in tags {
        assert_eq!(
            trace(format!("{text}\n[X \"y\"]\n\n*")),
            format!("< {expected} X=\"y\" | * >"),
            "{text}"
        );
        assert_eq!(
            trace(format!("{text}\n1. e4 *")),
            format!("< {expected} | e4 * >"),
            "{text}"
        );
    }
    assert_eq!(
        trace(b"[Event \"Caf\xE9\"] {na\xEFve} *"),
        "< Event=\"Café\" | {naïve} * >"
    );
}

#[test]
fn skipping() {
    let text =
        "[A \"b\"]\n\n1. e4 {c} (1. d4 (1. c4) {x (} d5) e5 $1 (1... c5) 1-0 {r}\n\n[A \"d\"]\n\n*";
    let skips_variations = Trace {
        skips_variations: true,
        ..Trace::default()
    };
    assert_eq!(
        trace_with(text, skips_variations),
        "< A=\"b\" | e4 {c} ( e5 $1 ( 1-0 {r} > < A=\"d\" | * >"
    );
    let skips_moves = Trace {
        skips_moves: true,
        ..Trace::default()
    };
    assert_eq!(
        trace_with(text, skips_moves),
        "< A=\"b\" | 1-0 > < A=\"d\" | * >"
    );
    let skips_games = Trace {
        skips_games: true,
        ..Trace::default()
    };
    assert_eq!(trace_with(text, skips_games), "< > < >");
    // Skipped text may be broken in any way.
    let broken = "1. e4 e5 {never closed\n\n[A \"b\"]\n\n1. zz (((\n\n[A \"d\"]\n\n*";
    let skips_games = Trace {
        skips_games: true,
        ..Trace::default()
    };
    assert_eq!(trace_with(broken, skips_games), "< > < > < >");
}
