//! Unit tests of small parts: places, texts, shapes, words of eight bytes.

use super::super::scan::{alphanumeric_prefix, load};
use super::super::{Text, TextPosition, is_null_move, last_game, parse_comment};

#[test]
fn places_do_not_depend_on_how_the_text_is_cut() {
    let text = "a\nbé\r\nc\rd\n\r\n\r\re".as_bytes();
    let mut whole = TextPosition::START;
    whole.advance(text);
    assert_eq!(
        (whole.line(), whole.column(), whole.offset()),
        (8, 2, text.len() as u64)
    );
    for first in 0..=text.len() {
        for second in first..=text.len() {
            let mut place = TextPosition::START;
            place.advance(&text[..first]);
            place.advance(&text[first..second]);
            place.advance(&text[second..]);
            assert_eq!(place, whole, "{first} {second}");
        }
    }
    assert_eq!(whole.to_string(), "8:2");
    assert_eq!(
        format!("{whole:?}"),
        format!("TextPosition(8:2 at {})", text.len())
    );
}

#[test]
fn texts_are_utf8_or_latin1() {
    assert_eq!(Text::comment(b"\xFF\xFE\xC3(").decode(), "ÿþÃ(");
    assert_eq!(Text::quoted(br#"a\\b\"c\d\"#).decode(), r#"a\b"c\d\"#);
    assert_eq!(Text::comment(br"a\\b").decode(), r"a\\b");
    assert_eq!(format!("{:?}", Text::comment(b"x")), "Text(\"x\")");
    assert_eq!(Text::quoted(b"\\\"").raw(), b"\\\"");
}

#[test]
fn words_of_eight_bytes_agree_with_bytes() {
    for byte in 0..=255u8 {
        for place in 0..8 {
            let mut bytes = *b"aZ09bY18";
            bytes[place] = byte;
            let expected = bytes
                .iter()
                .take_while(|byte| byte.is_ascii_alphanumeric())
                .count();
            assert_eq!(alphanumeric_prefix(load(&bytes, 0)), expected, "{bytes:?}");
        }
    }
}

#[test]
fn null_moves() {
    for text in ["--", "Z0", "0000", "@@@@", "null"] {
        assert!(is_null_move(text.as_bytes()));
    }
    for text in ["-", "---", "e4", "", "Z1"] {
        assert!(!is_null_move(text.as_bytes()));
    }
}

#[test]
fn the_last_game_of_a_part() {
    assert_eq!(last_game(b""), None);
    assert_eq!(last_game(b"[Event \"a\"]\n\n*\n"), None);
    assert_eq!(last_game(b"*\n[Event \"a\"]\n\n*\n"), None);
    assert_eq!(last_game(b"*\n\n[Event \"a\"]\n\n*\n"), Some(3));
    assert_eq!(
        last_game(b"*\r\n\r\n[Event \"a\"]\r\n*\r\n\r\n[Event \"b\"] [Event \"c\"]"),
        Some(23)
    );
    assert_eq!(last_game(b"*\r\r[Event \"a\"]"), Some(3));
}

#[test]
fn commands_of_comments() {
    let annotation =
        parse_comment("[%clk 0:03:00][%emt 0:00:01.5] a [%foo] b [%csl Ga1,Zz9] c [%cal R");
    assert_eq!(annotation.clock.map(|time| time.as_secs()), Some(180));
    assert_eq!(annotation.elapsed.map(|time| time.as_millis()), Some(1500));
    let commands: Vec<_> = annotation
        .commands()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(commands, ["[%foo]", "[%csl Ga1,Zz9]"]);
    assert_eq!(annotation.comments[0].as_str(), "a b c [ %cal R");
    assert_eq!(parse_comment("[%clk -1:00:00]").commands().len(), 1);
    assert_eq!(
        parse_comment("[%] [%a[b] [% x]").comments[0].as_str(),
        "[ %] [ %a[b] [ % x]"
    );
    assert!(parse_comment(" \n ").is_empty());
}
