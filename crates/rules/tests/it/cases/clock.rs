//! The half-move clock and the move number after single moves.

use tabiya_rules::{Position, Status};

use super::{after, position};

#[test]
fn pawn_moves_and_captures_set_the_clock_to_zero_and_others_raise_it() {
    for (fen, text, clock) in [
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 10 30", "e2e4", 0),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 10 30", "e2e3", 0),
        ("7k/8/8/R2p4/8/8/8/7K w - - 15 30", "a5d5", 0),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 20 30", "e5d6", 0),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 10 30", "a1a5", 11),
        ("7k/8/8/8/8/2K5/8/R7 w - - 7 30", "a1a8", 8),
        ("8/4P3/8/8/8/8/8/k6K w - - 33 40", "e7e8q", 0),
        ("3r4/4P3/8/8/8/8/8/k6K w - - 33 40", "e7d8n", 0),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 12 30", "e1g1", 13),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 12 30", "e8c8", 13),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 100 90", "a1a5", 101),
    ] {
        assert_eq!(
            after(&position(fen), text).halfmove_clock(),
            clock,
            "{fen}: {text}"
        );
    }
}

#[test]
fn a_check_does_not_touch_the_clock() {
    let checked = after(&position("7k/8/8/8/8/2K5/8/R7 w - - 7 30"), "a1a8");
    assert!(checked.is_check());
    assert_eq!(checked.halfmove_clock(), 8);
}

#[test]
fn the_clock_counts_both_sides_moves_since_the_last_pawn_move() {
    let position = after(&Position::start(), "g1f3 g8f6 e2e4 b8c6");
    assert_eq!(
        (position.halfmove_clock(), position.fullmove_number()),
        (1, 3)
    );
}

#[test]
fn the_move_number_rises_after_blacks_move() {
    let white_moved = after(&Position::start(), "e2e4");
    assert_eq!(white_moved.fullmove_number(), 1);
    assert_eq!(after(&white_moved, "e7e5").fullmove_number(), 2);
}

#[test]
fn mate_on_the_very_move_that_fills_the_clock_is_mate() {
    for clock in [99, 149] {
        let start = position(&format!("k7/8/K7/8/8/8/8/Q7 w - - {clock} 90"));
        let mated = after(&start, "a1h8");
        assert_eq!(mated.halfmove_clock(), clock + 1);
        assert!(
            matches!(mated.status(), Status::Checkmate { .. }),
            "clock {clock}"
        );
    }
}

#[test]
fn any_clock_is_accepted() {
    for clock in [0, 99, 100, 149, 150, 151, 9_999, 2_147_483_647] {
        let fen = format!("4k3/8/8/8/8/8/8/R3K3 w - - {clock} 1");
        let position = position(&fen);
        assert_eq!(position.halfmove_clock(), clock);
        assert_eq!(position.fen(), fen);
        assert_eq!(
            position.status(),
            Status::Ongoing,
            "what it means is for the game to say"
        );
    }
}
