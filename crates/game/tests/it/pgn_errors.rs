//! Errors in PGN: the sentence with the faulty text, the sentence without it, and the cause.

use std::error::Error;

use tabiya_game::pgn::{self, PgnError};

/// Returns the only error in a text.
fn error(text: &str) -> PgnError {
    let mut game = pgn::games(text.as_bytes()).next().expect("a game");
    let error = game.errors.pop().expect("an error");
    assert_eq!(game.errors, [], "{}", &text[..text.len().min(80)]);
    error
}

#[test]
fn each_error_says_what_is_wrong_with_and_without_the_text() {
    let deep = format!("1. e4 {} e5 {} *", "(1. d4 ".repeat(1001), ")".repeat(1001));
    let long_tag = format!("[Event \"{}\"]\n\n1. e4 *", "x".repeat(pgn::MAX_TAG_LENGTH));
    for (text, sentence, kind) in [
        (
            "1. Ke4 *",
            "'Ke4' cannot be played.",
            "A King cannot move from e1 to e4.",
        ),
        (
            "[FEN \"8/8 w\"]\n\n*",
            "The FEN tag '8/8 w' is no position:",
            "bad FEN",
        ),
        (
            "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ -- *",
            "'--' cannot be played. A side in check cannot pass.",
            "a side in check cannot pass",
        ),
        (
            "[Variant \"Atomic\"]\n\n1. e4 *",
            "The variant 'Atomic' is not chess as known here.",
            "the variant is not chess as known here",
        ),
        (
            "1. e4 <x> *",
            "'<x>' has no meaning here.",
            "the text has no meaning here",
        ),
        (
            "1. e4 {never",
            "The comment '{never' has no end.",
            "the comment has no end",
        ),
        (
            "1. e4 $300 *",
            "'$300' is no glyph",
            "expected a glyph from $0 to $255",
        ),
        (
            &deep,
            "Variations are more than 1000 deep",
            "variations are more than 1000 deep",
        ),
        (
            &long_tag,
            "is longer than 65536 bytes.",
            "the tag is longer than 65536 bytes",
        ),
    ] {
        let error = error(text);
        let message = error.message().to_string();
        assert!(message.contains(sentence), "{message}");
        assert_eq!(error.to_string(), format!("{}: {message}", error.place));
        let without_text = error.kind.to_string();
        assert!(without_text.starts_with(kind), "{without_text}");
    }
}

#[test]
fn a_refused_move_and_a_refused_fen_are_the_causes_of_their_errors() {
    for text in ["1. Ke4 *", "[FEN \"8/8 w\"]\n\n*"] {
        let error = error(text);
        let cause = error.source().expect("a cause").to_string();
        assert_eq!(cause, error.kind.to_string());
        assert!(error.message().to_string().ends_with(&cause), "{error}");
    }
    assert!(error("1. e4 $300 *").source().is_none());
}
