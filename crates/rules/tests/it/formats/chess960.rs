//! The 960 starts by number.

use std::collections::HashSet;

use tabiya_rules::{CastlingMode, Color, Position, Role, Square};

use crate::support::{after, position};

#[test]
fn numbers_and_positions_are_the_same_thing() {
    let mut boards = HashSet::new();
    for number in 0..960 {
        let start = Position::chess960(number).expect("below 960");
        assert_eq!(start.chess960_number(), Some(number));
        assert!(boards.insert(start), "{number} comes twice");
        assert_eq!(start.castling_rooks().count(), 4);
        assert_eq!(start.castling_mode(), CastlingMode::Chess960);
        assert_eq!(
            start.legal_moves().len(),
            start.mirror().legal_moves().len()
        );
    }
    assert_eq!(Position::chess960(960), None);
    assert_eq!(Position::chess960(u16::MAX), None);
}

#[test]
fn every_start_obeys_the_rules_of_the_draw() {
    for number in 0..960 {
        let start = Position::chess960(number).expect("below 960");
        let board = start.board();
        let king = board.king(Color::White).expect("a king");
        let files = |role| board.pieces(Color::White, role).into_iter();
        let rooks: Vec<Square> = files(Role::Rook).collect();
        assert!(
            rooks[0] < king && king < rooks[1],
            "the king stands between the rooks: {start}"
        );
        let light = files(Role::Bishop)
            .filter(|square| square.is_light())
            .count();
        assert_eq!(light, 1, "the bishops stand on both colors: {start}");
        for file in &Square::ALL[..8] {
            let facing = file.flip_vertical();
            assert_eq!(
                board.role_at(*file),
                board.role_at(facing),
                "both sides alike: {start}"
            );
        }
    }
}

#[test]
fn known_numbers() {
    for (number, rank) in [
        (0, "BBQNNRKR"),
        (1, "BQNBNRKR"),
        (518, "RNBQKBNR"),
        (534, "RNBKQBNR"),
        (959, "RKRNNQBB"),
    ] {
        let start = Position::chess960(number).expect("below 960");
        assert!(
            start.board().to_string().ends_with(rank),
            "{number}: {start}"
        );
    }
    assert_eq!(Position::start().chess960_number(), Some(518));
}

#[test]
fn other_positions_have_no_number() {
    assert_eq!(after(&Position::start(), "e4").chess960_number(), None);
    assert_eq!(
        position("4k3/8/8/8/8/8/8/4K3 w - - 0 1").chess960_number(),
        None
    );
    let double = Position::double_chess960(518, 0).expect("below 960");
    assert_eq!(double.chess960_number(), None);
}

#[test]
fn in_double_chess960_each_side_has_its_own_arrangement() {
    let double = Position::double_chess960(518, 959).expect("below 960");
    assert_eq!(
        double.fen(),
        "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAca - 0 1"
    );
    assert_eq!(Position::double_chess960(518, 518), Position::chess960(518));
    for (white, black) in [(960, 0), (0, 960)] {
        assert_eq!(Position::double_chess960(white, black), None);
    }
    for number in (0..960).step_by(7) {
        let start = Position::double_chess960(number, 959 - number).expect("below 960");
        assert_eq!(position(&start.fen()), start);
        assert_eq!(start.castling_rooks().count(), 4);
    }
}
