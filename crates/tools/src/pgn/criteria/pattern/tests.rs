//! Patterns of boards.

use tabiya_rules::{Color, Position};

use super::Pattern;

fn is_on(pattern: &str, fen: &str) -> bool {
    let pattern: Pattern = pattern.parse().expect(pattern);
    let position = Position::from_fen(fen).expect(fen);
    pattern.matches_board(position.board(), position.turn())
}

const SICILIAN: &str = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";

#[test]
fn squares_are_asked_for_one_by_one() {
    for pattern in [
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR",
        "....k.../.../",
        "????k???",
        "/..1/8/..p/....P w",
        "a!Ba".replace('B', "b").as_str(),
        "*/*/*/*/*/*/*/A*",
        "...q/",
    ] {
        assert!(is_on(pattern, SICILIAN), "{pattern}");
    }
    for pattern in [
        "...k",
        "1",
        "//////PPPPP",
        "A",
        "!!!!!!!!/!!!",
        "*/*/*/..p b",
    ] {
        assert!(!is_on(pattern, SICILIAN), "{pattern}");
    }
    for pattern in [
        "",
        "x",
        "9",
        "8/8/8/8/8/8/8/8/8",
        "kkkkkkkkk",
        "54",
        "k white",
    ] {
        assert!(pattern.parse::<Pattern>().is_err(), "{pattern}");
    }
}

#[test]
fn a_mirrored_pattern_is_on_the_mirrored_board() {
    let pattern: Pattern = "/..1/8/..p/....P w".parse().expect("a pattern");
    let position = Position::from_fen(SICILIAN).expect("a FEN");
    let other = pattern.mirrored();
    assert!(other.matches_board(&position.board().mirror(), Color::Black));
    assert!(!other.matches_board(position.board(), Color::White));
    assert_eq!(other.mirrored(), pattern);
}

#[test]
fn pawn_structures_pass_over_pieces() {
    let pattern: Pattern = "8/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/8"
        .parse()
        .expect("a pattern");
    let position = Position::from_fen(SICILIAN).expect("a FEN");
    assert!(pattern.has_only_pawns());
    assert!(pattern.matches_pawns(position.board(), Color::White));
    assert!(!pattern.matches_board(position.board(), Color::White));
}
