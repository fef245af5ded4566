//! Whole games: trees, annotations, start positions, and their errors.

use super::super::{MAX_ANNOTATIONS, MAX_ERRORS, MAX_NODES, PgnErrorKind, PgnGame, games};
use crate::annotation::{Comment, Glyph};
use crate::outcome::GameResult;
use crate::record::{Node, Step};
use tabiya_rules::{CastlingMode, CastlingNotation, EnPassantMode};

fn only(text: &str) -> PgnGame {
    let mut games: Vec<_> = games(text.as_bytes()).collect();
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

fn sans<'a>(nodes: impl Iterator<Item = Node<'a>>) -> String {
    let words: Vec<_> = nodes
        .filter_map(|node| {
            let position = node.parent()?.position();
            Some(match node.step()? {
                Step::Move(played) => position.san(played).to_string(),
                Step::Null => "--".to_owned(),
            })
        })
        .collect();
    words.join(" ")
}

fn kinds(game: &PgnGame) -> String {
    let words: Vec<_> = game
        .errors
        .iter()
        .map(|error| format!("{}", error.place))
        .collect();
    words.join(" ")
}

#[test]
fn a_tree_with_annotations() {
    let game = only(
        "[White \"A\"]\n[Result \"1-0\"]\n\n{root} 1. e4! {[%clk 0:01:00] fine} ({first} 1. d4 d5 $14) (1. c4) \
         {more} e5 2. -- 1-0",
    );
    let record = &game.record;
    assert!(game.errors.is_empty());
    assert_eq!(record.tags().get("White"), Some("A"));
    assert_eq!(record.result(), GameResult::WhiteWins);
    assert_eq!(sans(record.cursor_line()), "e4 e5 --");
    let root = record.root();
    assert_eq!(root.annotation().comments[0].as_str(), "root");
    let children: Vec<_> = root.children().collect();
    assert_eq!(children.len(), 3);
    let e4 = children[0].annotation();
    assert_eq!(e4.glyphs, [Glyph::GOOD]);
    assert_eq!(e4.clock.map(|time| time.as_secs()), Some(60));
    assert_eq!(
        e4.comments.iter().map(Comment::as_str).collect::<Vec<_>>(),
        ["fine"]
    );
    assert_eq!(children[2].annotation().after[0].as_str(), "more");
    let d4 = children[1].annotation();
    assert_eq!(d4.before[0].as_str(), "first");
    assert_eq!(
        children[1].next().expect("d5").annotation().glyphs,
        [Glyph(14)]
    );
    assert_eq!(record.cursor().ply(), 0);
}

#[test]
fn results_come_from_tag_or_moves() {
    let result = |text: &str| only(text).record.result().as_str();
    assert_eq!(result("[Result \"0-1\"]\n\n1/2-1/2"), "0-1");
    assert_eq!(result("[Result \"*\"]\n\n1/2-1/2"), "1/2-1/2");
    assert_eq!(result("[Result \"nobody won\"]\n\n1-0"), "1-0");
    assert_eq!(result("[Result \"1-0\"]\n\n1. e4"), "1-0");
    assert_eq!(result("1. e4"), "*");
}

#[test]
fn start_positions() {
    let game = only("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 3 7\"]\n\n7. e4 *");
    assert_eq!(
        game.record.main_line_end().position().fen(),
        "4k3/8/8/8/4P3/8/8/4K3 b - - 0 7"
    );
    assert_eq!(game.record.tags().len(), 0);

    let shredder =
        only("[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1\"]\n\n1. e4 *");
    assert_eq!(
        shredder.record.start().castling_mode(),
        CastlingMode::Chess960
    );
    let fen = shredder
        .record
        .start()
        .fen_with(EnPassantMode::Legal, CastlingNotation::XFen);
    assert_eq!(
        fen,
        "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"
    );

    for variant in ["Chess960", "chess 960", "Fischerandom", "FischerRandom"] {
        let game = only(&format!("[Variant \"{variant}\"]\n\n1. e4 *"));
        assert_eq!(game.record.start().castling_mode(), CastlingMode::Chess960);
        assert_eq!(game.record.cursor_line().count(), 1);
    }
    for variant in ["Standard", "From Position", "blitz"] {
        let game = only(&format!("[Variant \"{variant}\"]\n\n1. e4 *"));
        assert_eq!(game.record.start().castling_mode(), CastlingMode::Standard);
        assert!(game.errors.is_empty());
    }
    // Everything that can be waived is: no kings, a right without its rook, an impossible en passant
    // square.
    assert!(
        only("[FEN \"8/8/8/8/8/8/4P3/8 w KQ e6 0 1\"]\n\n1. e4 *")
            .errors
            .is_empty()
    );
}

#[test]
fn positions_and_games_that_are_none() {
    for tag in [
        "[FEN \"nonsense\"]",
        "[FEN \"8/8/8/8/8/8/8/KKkk4 w - - 0 1\"]",
        "[Variant \"Atomic\"]",
    ] {
        let text = format!("{tag}\n[White \"A\"]\n\n1. e4 e5 1-0\n\n1. d4 *");
        let games: Vec<_> = games(text.as_bytes()).collect();
        assert_eq!(games.len(), 2);
        assert_eq!(games[0].errors.len(), 1);
        assert_eq!(games[0].errors[0].place.line(), 1);
        assert!(games[0].record.is_empty());
        assert_eq!(games[0].record.tags().get("White"), Some("A"));
        assert_eq!(games[0].record.result(), GameResult::WhiteWins);
        assert!(games[1].errors.is_empty());
    }
}

#[test]
fn illegal_moves_keep_what_was_before() {
    let games: Vec<_> = games(b"1. e4 Qa1 e5 2. Qxf8\n\n1. a3").collect();
    assert_eq!(games.len(), 2);
    assert_eq!(sans(games[0].record.cursor_line()), "e4");
    assert_eq!(kinds(&games[0]), "1:7");
    assert_eq!(&*games[0].errors[0].text, "Qa1");
    assert_eq!(sans(games[1].record.cursor_line()), "a3");
    assert!(games[1].offset > 20);

    let game = only("1. e4 (1. d4 d4 d5) (1. c4 c5 2. c6) e5 2. Ke3 Nf6 *");
    assert_eq!(sans(game.record.root().subtree()), "e4 e5 d4 c4 c5");
    assert_eq!(kinds(&game), "1:14 1:34 1:44");
    // A null move in check, an ambiguous move, and a promotion to nothing.
    let game = only("1. e4 f5 2. Qh5+ -- *");
    assert_eq!(game.errors[0].kind, PgnErrorKind::NullMoveInCheck);
    let game = only("[FEN \"4k3/P7/8/8/8/8/8/R3K2R w - - 0 1\"]\n\n1. a8 *");
    assert!(matches!(game.errors[0].kind, PgnErrorKind::Move(_)));
    let game = only("[FEN \"4k3/8/8/8/8/4K3/8/R6R w - - 0 1\"]\n\n1. Rd1 *");
    assert!(matches!(game.errors[0].kind, PgnErrorKind::Move(_)));
}

#[test]
fn variations_begin_before_the_last_move_of_their_line() {
    let game = only("1. e4 e5 2. Nf3 Nc6 (2... d6 3. d4 (3. Bc4 Be7) exd4) (2... Nf6) 3. Bb5 *");
    assert!(game.errors.is_empty());
    assert_eq!(
        sans(game.record.root().subtree()),
        "e4 e5 Nf3 Nc6 Bb5 d6 d4 exd4 Bc4 Be7 Nf6"
    );
}

#[test]
fn empty_variations_lose_no_text() {
    let game = only("1. e4 ({nothing} $5) ({[%cal Ga1a2] [%x y]}) e5 *");
    let annotation = game.record.root().next().expect("e4").annotation().clone();
    assert_eq!(annotation.comments[0].as_str(), "nothing");
    assert_eq!(annotation.glyphs, [Glyph::INTERESTING]);
    assert_eq!(
        (annotation.arrows.len(), annotation.commands().len()),
        (1, 1)
    );
}

#[test]
fn games_that_are_too_long_are_cut() {
    let cycle = "Nf3 Nf6 Ng1 Ng8 ";
    let long = cycle.repeat(MAX_NODES / 4);
    let game = only(&format!("{long}*"));
    assert!(game.errors.is_empty());
    assert_eq!(game.record.cursor_line().count(), MAX_NODES);
    let game = only(&format!("{long} e4 (d4 (c4) d5) e5 1-0"));
    assert_eq!(game.errors.len(), 1);
    assert_eq!(game.errors[0].kind, PgnErrorKind::GameTooLong);
    assert_eq!(
        (&*game.errors[0].text, game.record.result()),
        ("e4", GameResult::WhiteWins)
    );

    for piece in ["{c}", "$1"] {
        let inside = format!("1. e4 (1. d4 {}) e5 1-0", piece.repeat(MAX_ANNOTATIONS + 1));
        let game = only(&inside);
        assert_eq!(game.errors.len(), 1);
        assert_eq!(game.errors[0].kind, PgnErrorKind::GameTooLong);
        assert_eq!(sans(game.record.root().subtree()), "e4 d4");
        assert_eq!(game.record.result(), GameResult::WhiteWins);
    }

    let words = "x".repeat(60_000);
    let tags: String = (0..200)
        .map(|number| format!("[Tag{number} \"{words}\"]\n"))
        .collect();
    let game = only(&format!("{tags}\n1. e4 *"));
    assert_eq!(game.errors.len(), 1);
    assert_eq!(game.errors[0].kind, PgnErrorKind::GameTooLong);
    assert_eq!(
        (game.record.tags().len(), game.record.cursor_line().count()),
        (139, 1)
    );
}

#[test]
fn a_game_keeps_so_many_errors() {
    let game = only(&format!("1. e4 {} *", "(1. e5) ".repeat(MAX_ERRORS + 10)));
    assert_eq!(game.errors.len(), MAX_ERRORS);
}

#[test]
fn errors_are_sentences_without_control_characters() {
    let text = "[Event]\n[FEN \"x\x1B\u{202E}\u{9B}\"]\n[Variant \"atomic\"]\n\n1. e4\n\n1. e4 \x07zz Qa1 \n\n1. e4 (( {\x1B[31m";
    let all: Vec<_> = games(text.as_bytes())
        .flat_map(|game| game.errors)
        .collect();
    assert_eq!(all.len(), 7);
    for error in all {
        let sentence = error.to_string();
        let is_bad = |c: char| c.is_control() || ('\u{202A}'..='\u{202E}').contains(&c);
        assert!(!sentence.chars().any(is_bad), "{sentence}");
        assert!(sentence.starts_with(&error.place.to_string()), "{sentence}");
    }
    let kinds = [
        PgnErrorKind::UnfinishedTag,
        PgnErrorKind::TagTooLong,
        PgnErrorKind::TooManyTags,
        PgnErrorKind::CommentTooLong,
        PgnErrorKind::TooDeep,
        PgnErrorKind::Glyph,
        PgnErrorKind::GameTooLong,
        PgnErrorKind::NullMoveInCheck,
    ];
    for kind in kinds {
        let error =
            super::super::PgnError::new(super::super::TextPosition::START, kind, b"it's \"x\\\0");
        let sentence = error.to_string();
        assert!(sentence.starts_with("1:1: "), "{sentence}");
        assert!(sentence.ends_with('.'), "{sentence}");
        assert!(sentence.contains("it's \"x\\\\u{0}"), "{sentence}");
    }
    let long = super::super::PgnError::new(
        super::super::TextPosition::START,
        PgnErrorKind::Tag,
        "é".repeat(100).as_bytes(),
    );
    assert_eq!(long.text.chars().count(), 60);
}
