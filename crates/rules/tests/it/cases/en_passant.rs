//! En passant: when there is a square, what is captured, and when the capture is refused.

use tabiya_rules::{CastlingNotation, Color, EnPassantMode, IllegalMove, Position, Role, Square};

use super::{after, board, is_legal, placement_after, position, refused};

#[test]
fn every_two_square_pawn_move_leaves_its_square_behind() {
    for (moves, square) in [
        ("e2e4", Some(Square::E3)),
        ("e2e4 e7e5", Some(Square::E6)),
        ("d2d4", Some(Square::D3)),
        ("e2e3", None),
        ("", None),
    ] {
        assert_eq!(
            after(&Position::start(), moves).en_passant(),
            square,
            "{moves}"
        );
    }
    let rook = after(&board("7k/8/8/8/8/8/4R3/K7 w"), "e2e4");
    assert_eq!(rook.en_passant(), None, "a rook passes nothing");
}

#[test]
fn the_captured_pawn_stands_behind_the_square() {
    for (start, first, capture, pawn) in [
        ("8/4p3/8/3P4/8/8/8/8 b", "e7e5", "d5e6", Square::E5),
        ("8/8/8/8/3p4/8/4P3/8 w", "e2e4", "d4e3", Square::E4),
        ("8/3p4/8/4P3/8/8/8/8 b", "d7d5", "e5d6", Square::D5),
    ] {
        let position = after(&board(start), first);
        let m = position.parse_uci(capture).expect("legal");
        assert!(m.is_en_passant());
        let captured = Role::Pawn.of(!position.turn());
        assert_eq!(position.captured(m), Some((pawn, captured)), "{start}");
    }
}

#[test]
fn only_a_two_square_move_can_be_answered() {
    let two = after(&board("8/3p4/8/4P3/8/8/8/8 b"), "d7d5");
    assert!(is_legal(&two, "e5d6"));
    let one = after(&board("8/8/3p4/4P3/8/8/8/8 b"), "d6d5");
    let nothing = IllegalMove::NothingToCapture { square: Square::D6 };
    assert_eq!(refused(&one, "e5d6"), nothing);
}

#[test]
fn only_a_pawn_beside_it_can_answer_and_only_to_the_square_passed() {
    let rook = after(&board("8/3p4/8/4R3/8/8/8/8 b"), "d7d5");
    assert!(!is_legal(&rook, "e5d6"));
    let empty = after(&board("8/3p4/8/8/8/8/8/7P b"), "d7d5");
    assert_eq!(
        refused(&empty, "e5d6"),
        IllegalMove::NoPiece { square: Square::E5 }
    );
    let pawn = after(&board("8/3p4/8/4P3/8/8/8/8 b"), "d7d5");
    assert!(is_legal(&pawn, "e5e6"));
    assert!(
        !pawn.parse_uci("e5e6").expect("legal").is_en_passant(),
        "a step, no capture"
    );
    let far = after(&board("8/3p4/8/P7/8/8/8/8 b"), "d7d5");
    assert!(!is_legal(&far, "a5d6"));
    assert_eq!(far.legal_en_passant(), None);
    assert_eq!(far.en_passant(), Some(Square::D6));
}

#[test]
fn black_answers_on_the_third_rank() {
    let position = after(&board("8/8/8/8/3p4/8/4P3/8 w"), "e2e4");
    assert!(position.parse_uci("d4e3").expect("legal").is_en_passant());
}

#[test]
fn the_capturing_pawn_lands_on_the_square_and_the_other_is_gone() {
    let white = after(&position("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1"), "d7d5");
    assert_eq!(white.board().to_string(), "4k3/8/8/3pP3/8/8/8/4K3");
    assert_eq!(placement_after(&white, "e5d6"), "4k3/8/3P4/8/8/8/8/4K3");
    let black = after(&position("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"), "e2e4");
    assert_eq!(black.board().to_string(), "4k3/8/8/8/3pP3/8/8/4K3");
    assert_eq!(placement_after(&black, "d4e3"), "4k3/8/8/8/8/4p3/8/4K3");
}

#[test]
fn the_chance_is_gone_after_one_move() {
    let start = position("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1");
    let later = after(&start, "d7d5 e1e2 e8e7");
    assert_eq!(
        refused(&later, "e5d6"),
        IllegalMove::NothingToCapture { square: Square::D6 }
    );
}

#[test]
fn a_capture_that_uncovers_the_king_is_refused() {
    let along_the_rank = position("7k/8/8/K2pP2r/8/8/8/8 w - d6 0 1");
    let reason = IllegalMove::LeavesKingInCheck {
        king: Square::A5,
        attacker: Square::H5,
    };
    assert_eq!(refused(&along_the_rank, "e5d6"), reason);
    let through_the_captured = position("7k/b7/8/2pP4/8/8/5K2/8 w - c6 0 1");
    let reason = IllegalMove::LeavesKingInCheck {
        king: Square::F2,
        attacker: Square::A7,
    };
    assert_eq!(refused(&through_the_captured, "d5c6"), reason);
}

#[test]
fn a_capture_can_end_the_check_of_the_pawn_that_moved() {
    let checked = position("7k/8/8/3pP3/2K5/8/8/8 w - d6 0 1");
    assert_eq!(checked.checkers().single(), Some(Square::D5));
    assert!(is_legal(&checked, "e5d6"));
}

#[test]
fn two_pawns_can_have_the_same_chance() {
    let both = position("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1");
    assert!(is_legal(&both, "c5d6") && is_legal(&both, "e5d6"));
    let one_pinned = position("4k3/8/8/K1PpP2r/8/8/8/8 w - d6 0 1");
    assert!(is_legal(&one_pinned, "c5d6") && is_legal(&one_pinned, "e5d6"));
    let other_pinned = position("8/4k3/8/2PpP3/1K6/8/8/b7 w - d6 0 1");
    assert!(is_legal(&other_pinned, "c5d6"));
}

#[test]
fn it_can_be_the_only_legal_move() {
    let position = position("4k3/8/4p3/3pP3/8/6q1/8/7K w - d6 0 1");
    assert!(position.has_legal_move());
    assert_eq!(position.count_legal_moves(), 1);
    assert!(position.legal_moves()[0].is_en_passant());
    let without = super::position("4k3/8/4p3/3pP3/8/6q1/8/7K w - - 0 1");
    assert_eq!(without.status(), tabiya_rules::Status::Stalemate);
}

#[test]
fn fen_names_the_square_when_asked_to() {
    let modes = [
        EnPassantMode::Legal,
        EnPassantMode::PseudoLegal,
        EnPassantMode::Always,
    ];
    let field = |position: &Position, mode| {
        let fen = position.fen_with(mode, CastlingNotation::ByMode);
        fen.split(' ').nth(3).expect("a field").to_owned()
    };
    for (fen, expected) in [
        // No pawn beside it, a pinned pawn, a free pawn.
        ("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1", ["-", "-", "d6"]),
        ("7k/8/8/K2pP2r/8/8/8/8 w - d6 0 1", ["-", "d6", "d6"]),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", ["d6", "d6", "d6"]),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", ["-", "-", "-"]),
    ] {
        let position = position(fen);
        assert_eq!(modes.map(|mode| field(&position, mode)), expected, "{fen}");
        let setup = position.setup();
        let by_setup = modes.map(|mode| setup.fen_with(mode, CastlingNotation::ByMode));
        let by_position = modes.map(|mode| position.fen_with(mode, CastlingNotation::ByMode));
        assert_eq!(by_setup, by_position, "the raw form prints the same");
    }
    assert_eq!(EnPassantMode::default(), EnPassantMode::Legal);
}

#[test]
fn the_side_that_moved_cannot_use_its_own_square() {
    let start = after(&Position::start(), "e2e4");
    assert_eq!(start.turn(), Color::Black);
    assert_eq!(
        start.legal_en_passant(),
        None,
        "no black pawn stands beside e4"
    );
}
