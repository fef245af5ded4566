//! Hostile input: memory and time stay bounded, the stack does not overflow, and an error says what
//! is wrong.

use super::super::{
    Format, MAX_COMMENT_LENGTH, MAX_DEPTH, MAX_TAG_LENGTH, MAX_TAGS, Reader, games, to_string,
};
use super::{Pieces, Trace, trace};

#[test]
fn parentheses_without_end() {
    for count in [MAX_DEPTH + 1, 10_000, 200_000] {
        let open = format!("1. e4 {}", "(1. d4 (1. e4 ".repeat(count));
        let text = trace(&open);
        assert_eq!(text.matches("!TooDeep").count(), 1);
        assert_eq!(text.matches("!UnfinishedVariation").count(), 1);
        assert_eq!(text.matches(" ( ").count(), MAX_DEPTH);
        assert_eq!(text.matches(" )").count(), MAX_DEPTH);
        let closed = format!("{open}{} e5 1-0", ") )".repeat(count));
        let text = trace(closed);
        assert_eq!(text.matches('!').count(), 1);
        assert!(text.ends_with(") e5 1-0 >"));
    }
    assert!(!trace(format!("1. e4 {}", "(1. d4 ".repeat(MAX_DEPTH))).contains("TooDeep"));
    let wide = trace(format!("1. e4 {}*", "(1. d4) ".repeat(100_000)));
    assert_eq!(wide.matches("d4").count(), 100_000);
}

#[test]
fn tags_without_end() {
    let long = "x".repeat(MAX_TAG_LENGTH * 3);
    for text in [
        format!("[White \"{long}\"]\n\n1. e4 *"),
        format!("[{long}\n\n1. e4 *"),
        format!("[White \"{}\"]\n\n1. e4 *", "\\\"".repeat(MAX_TAG_LENGTH)),
    ] {
        let text = trace(text);
        assert!(text.starts_with("< !TagTooLong@1:1"), "{}", &text[..80]);
        assert!(text.ends_with("| e4 * >"));
    }
    assert!(trace(format!("[White \"{long}")).starts_with("< !TagTooLong@1:1"));
    let lines = "x\n".repeat(MAX_TAG_LENGTH);
    assert!(trace(format!("[White \"{lines}")).starts_with("< !TagTooLong@1:1"));
    let fits = "x".repeat(MAX_TAG_LENGTH - 10);
    assert!(trace(format!("[White \"{fits}\"]\n\n1. e4 *")).starts_with("< White="));
    assert!(trace(format!("[White \"{fits}x\"]\n\n1. e4 *")).starts_with("< !TagTooLong@1:1"));

    let many: String = (0..MAX_TAGS * 2)
        .map(|number| format!("[T{number} \"v\"]\n"))
        .collect();
    let text = trace(format!("{many}\n1. e4 *"));
    assert_eq!(text.matches("=\"v\"").count(), MAX_TAGS);
    assert_eq!(text.matches("!TooManyTags@1001:1").count(), 1);
    assert!(text.ends_with("| e4 * >"));
}

#[test]
fn a_record_with_the_most_tags_is_written_and_read() {
    let many: String = (0..MAX_TAGS)
        .map(|number| format!("[T{number} \"v\"]\n"))
        .collect();
    let one = |text: &str| games(text.as_bytes()).next().expect("a game");
    let fen = "[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 1\"]";
    let game = one(&format!("{fen}\n{many}\n1... Kd8 *"));
    assert!(!game.errors.is_empty(), "some have no room");
    for format in [Format::Export, Format::Compact] {
        let again = one(&to_string(&game.record, format));
        assert_eq!(again.errors, [], "{format:?}");
        assert_eq!(again.record, game.record, "{format:?}");
    }
}

#[test]
fn comments_without_end() {
    let long = "x".repeat(MAX_COMMENT_LENGTH * 3);
    let text = trace(format!("1. e4 {{{long}}} e5 *"));
    assert!(
        text.starts_with("< | e4 !CommentTooLong@1:7'{xxx"),
        "{}",
        &text[..80]
    );
    assert!(text.ends_with("' e5 * >"));
    let text = trace(format!("1. e4 ;{long}\ne5 *"));
    assert!(
        text.starts_with("< | e4 !CommentTooLong@1:7';xxx"),
        "{}",
        &text[..80]
    );
    assert!(text.ends_with("' e5 * >"));
    let text = trace(format!("1. e4 {{{long}"));
    assert!(
        text.starts_with("< | e4 !CommentTooLong@1:7'{xxx"),
        "{}",
        &text[..80]
    );
    let text = trace(format!("1. e4 {{{long}\n\n[White \"b\"]\n\n*"));
    assert!(text.ends_with("> < White=\"b\" | * >"));
    for length in [
        MAX_COMMENT_LENGTH - 1,
        MAX_COMMENT_LENGTH,
        MAX_COMMENT_LENGTH + 1,
    ] {
        let text = format!("1. e4 {{{}}} *", &long[..length]);
        let whole = trace(&text);
        assert_eq!(
            whole.contains("TooLong"),
            length > MAX_COMMENT_LENGTH,
            "{length}"
        );
        let mut pieces = Trace::default();
        let source = Pieces {
            bytes: text.as_bytes(),
            size: 4097,
        };
        Reader::new(source)
            .read_all(&mut pieces)
            .unwrap_or_else(|never| match never {});
        assert!(pieces.text == whole, "{length}");
    }
}

#[test]
fn one_line_of_everything() {
    let game = "[Event \"a\"] [Site \"b\"] 1. e4 {c} e5 (1... c5) 2. Nf3 1/2-1/2  ";
    let text = trace(game.repeat(20_000));
    assert_eq!(text.matches("Nf3 1/2-1/2 >").count(), 20_000);
    assert!(!text.contains('!'));
    for byte in [
        "x", "0", "1", "-", ".", " ", "\0", "\u{FF}", "!", "+", "[", "]", "}", ")", "\"", "%",
    ] {
        let text = trace(format!("1. e4 {}", byte.repeat(300_000)));
        assert!(text.len() < 2_000_000, "{byte:?}");
        assert!(text.ends_with(" >"), "{byte:?}");
    }
}

#[test]
fn zeros_are_an_error_inside_a_game_and_nothing_outside() {
    let zeros = [b"1. e4 ", &[0u8; 100_000][..], b" e5 *"].concat();
    for text in [&zeros[..], b"1. e4 \0\0 e5 *", b"1. e4 e5\0 *"] {
        let all: Vec<_> = games(text).collect();
        assert_eq!(all.len(), 1);
        assert_eq!(all[0].errors.len(), 1);
        assert_eq!(all[0].record.main_line_end().ply(), 2);
    }
    assert_eq!(games(&[0; 100_000]).count(), 0);
    assert_eq!(games(b"[White \"a\"]\n\0\n1. e4 *").count(), 1);
}

#[test]
fn a_million_of_each() {
    assert_eq!(games("*\n".repeat(100_000).as_bytes()).count(), 100_000);
    let text = trace(format!("1. e4 {}*", "$1 ".repeat(1_000_000)));
    assert_eq!(text.matches("$1").count(), 1_000_000);
    let text = trace(format!("1. e4 {}*", "{c} ".repeat(1_000_000)));
    assert_eq!(text.matches("{c}").count(), 1_000_000);
    assert_eq!(trace(" \n\t".repeat(1_000_000)), "");
    assert_eq!(trace("%x\n".repeat(1_000_000)), "");
}

#[test]
fn tiny_pieces_of_a_long_comment() {
    let text = format!("1. e4 {{{}}} *", "\n".repeat(200_000));
    let source = Pieces {
        bytes: text.as_bytes(),
        size: 1,
    };
    let mut pieces = Trace::default();
    Reader::new(source)
        .read_all(&mut pieces)
        .unwrap_or_else(|never| match never {});
    assert!(pieces.text == trace(text));
}
