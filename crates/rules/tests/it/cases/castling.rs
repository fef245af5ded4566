//! Castling: when it is allowed, what it does, how it is written, and what ends the right to it.

use tabiya_rules::{
    Bitboard, CastlingMode, CastlingNotation, CastlingSide, Color, EnPassantMode, IllegalMove,
    Position, Role, Square,
};

use super::{after, is_legal, moves, position, refused};

/// Returns a placement with White to move and both rights.
fn with_both_rights(placement: &str) -> Position {
    position(&format!("{placement} w KQ - 0 1"))
}

/// Returns the castling field of the FEN.
fn rights(position: &Position) -> String {
    position
        .fen()
        .split(' ')
        .nth(2)
        .expect("a field")
        .to_owned()
}

#[test]
fn both_sides_castle_to_both_wings() {
    let white = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    let black = position("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1");
    assert!(is_legal(&white, "e1g1") && is_legal(&white, "e1c1"));
    assert!(is_legal(&black, "e8g8") && is_legal(&black, "e8c8"));
    for (position, text) in [
        (&white, "e8g8"),
        (&white, "e8c8"),
        (&black, "e1g1"),
        (&black, "e1c1"),
    ] {
        assert!(
            matches!(refused(position, text), IllegalMove::OpponentsPiece { .. }),
            "{text}"
        );
    }
}

#[test]
fn each_condition_of_castling_kingside() {
    let (side, color) = (CastlingSide::King, Color::White);
    for (position, reason) in [
        (
            with_both_rights("4k3/8/8/8/8/8/8/R3KB1R"),
            IllegalMove::CastlingBlocked {
                side,
                by: Square::F1,
            },
        ),
        (
            with_both_rights("4rk2/8/8/8/8/8/8/R3K2R"),
            IllegalMove::CastlingInCheck {
                attacker: Square::E8,
            },
        ),
        (
            with_both_rights("3k1r2/8/8/8/8/8/8/R3K2R"),
            IllegalMove::CastlingThroughCheck {
                square: Square::F1,
                attacker: Square::F8,
            },
        ),
        (
            with_both_rights("3k2r1/8/8/8/8/8/8/R3K2R"),
            IllegalMove::CastlingIntoCheck {
                square: Square::G1,
                attacker: Square::G8,
            },
        ),
        (
            position("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1"),
            IllegalMove::NoCastlingRight { side, color },
        ),
    ] {
        assert_eq!(refused(&position, "e1g1"), reason, "{position}");
        assert_eq!(refused(&position, "e1h1"), reason, "{position}");
    }
}

#[test]
fn only_the_squares_the_king_crosses_may_not_be_attacked() {
    assert!(
        is_legal(&with_both_rights("1r2k3/8/8/8/8/8/8/R3K2R"), "e1c1"),
        "b1 may be"
    );
    let black = position("r3k2r/8/8/8/8/8/8/1R2K3 b kq - 0 1");
    assert!(is_legal(&black, "e8c8"), "and so may b8");
    let side = CastlingSide::Queen;
    for (placement, reason) in [
        (
            "2r1k3/8/8/8/8/8/8/R3K2R",
            IllegalMove::CastlingIntoCheck {
                square: Square::C1,
                attacker: Square::C8,
            },
        ),
        (
            "3rk3/8/8/8/8/8/8/R3K2R",
            IllegalMove::CastlingThroughCheck {
                square: Square::D1,
                attacker: Square::D8,
            },
        ),
        (
            "4k3/8/8/8/8/8/8/RN2K2R",
            IllegalMove::CastlingBlocked {
                side,
                by: Square::B1,
            },
        ),
    ] {
        assert_eq!(
            refused(&with_both_rights(placement), "e1c1"),
            reason,
            "{placement}"
        );
    }
}

#[test]
fn an_attacked_rook_castles_all_the_same() {
    assert!(is_legal(
        &with_both_rights("4k2r/8/8/8/8/8/8/R3K2R"),
        "e1g1"
    ));
}

#[test]
fn king_and_rook_end_beside_each_other() {
    let king_side = position("k7/8/8/8/8/8/8/4K2R w K - 0 1");
    let castle = king_side.parse_uci("e1g1").expect("legal");
    assert_eq!(king_side.captured(castle), None);
    assert_eq!(
        (castle.to(), castle.destination()),
        (Square::H1, Square::G1)
    );
    assert_eq!(castle.castling_side(), Some(CastlingSide::King));
    let castled = king_side.play_unchecked(castle);
    assert_eq!(castled.fen(), "k7/8/8/8/8/8/8/5RK1 b - - 1 1");
    assert_eq!(castled.castling_rooks(), Bitboard::EMPTY);
    let queen_side = position("7k/8/8/8/8/8/8/R3K3 w Q - 0 1");
    assert_eq!(
        after(&queen_side, "e1c1").fen(),
        "7k/8/8/8/8/8/8/2KR4 b - - 1 1"
    );
    let black = position("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1");
    assert_eq!(
        after(&black, "e8c8").fen(),
        "2kr3r/8/8/8/8/8/8/4K3 w - - 1 2"
    );
    assert_eq!(
        after(&black, "e8g8").fen(),
        "r4rk1/8/8/8/8/8/8/4K3 w - - 1 2"
    );
}

#[test]
fn a_castle_can_give_check_with_the_rook() {
    let position = position("5k2/8/8/8/8/8/8/4K2R w K - 0 1");
    let castle = position.parse_san_strict("O-O+").expect("legal");
    assert!(position.gives_check(castle) && position.play_unchecked(castle).is_check());
}

#[test]
fn moves_and_captures_that_end_a_right() {
    for (fen, text, left) in [
        ("k7/8/8/8/8/8/7r/4K2R b K - 0 1", "h2h1", "-"),
        ("7k/8/8/8/8/8/r7/R3K3 b Q - 0 1", "a2a1", "-"),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "a8a1", "k"),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "h8h4", "q"),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "e8e7", "-"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1b1", "Kkq"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "h1h8", "Qq"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "kq"),
        ("r3k2r/6P1/8/8/8/8/8/R3K2R w KQkq - 0 1", "g7h8q", "KQq"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1a7", "Kkq"),
    ] {
        assert_eq!(rights(&after(&position(fen), text)), left, "{fen}: {text}");
    }
}

#[test]
fn a_right_does_not_come_back_with_the_rook() {
    let there_and_back = after(
        &position("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"),
        "a1a2 e8e7 a2a1 e7e8",
    );
    assert_eq!(rights(&there_and_back), "K");
}

#[test]
fn standard_chess_is_written_its_way_and_read_both_ways() {
    let position = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    assert_eq!(position.castling_mode(), CastlingMode::Standard);
    for (one, other) in [("e1g1", "e1h1"), ("e1c1", "e1a1")] {
        let castle = position.parse_uci(one).expect("legal");
        assert_eq!(position.parse_uci(other), Ok(castle));
        assert!(castle.is_castle());
        assert_eq!(position.uci(castle).to_string(), one);
        let other_mode = position.with_castling_mode(CastlingMode::Chess960);
        assert_eq!(other_mode.uci(castle).to_string(), other);
        assert_eq!(
            other_mode.parse_uci(one),
            Ok(castle),
            "still read both ways"
        );
    }
    assert!(moves(&position).contains("e1g1") && !moves(&position).contains("e1h1"));
}

#[test]
fn fen_names_rights_by_mode_or_on_request() {
    let standard = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    let chess960 = standard.with_castling_mode(CastlingMode::Chess960);
    let field = |position: &Position, notation| {
        let fen = position.fen_with(EnPassantMode::Legal, notation);
        fen.split(' ').nth(2).expect("a field").to_owned()
    };
    for (notation, in_standard, in_chess960) in [
        (CastlingNotation::ByMode, "KQkq", "HAha"),
        (CastlingNotation::XFen, "KQkq", "KQkq"),
        (CastlingNotation::Shredder, "HAha", "HAha"),
    ] {
        assert_eq!(field(&standard, notation), in_standard, "{notation:?}");
        assert_eq!(field(&chess960, notation), in_chess960, "{notation:?}");
    }
    assert_eq!(
        standard, chess960,
        "how castling is written is no part of the position"
    );
}

#[test]
fn rights_that_standard_chess_cannot_have_stay_in_chess960() {
    let position = position("4k3/8/8/8/8/8/8/1RK3R1 w GB - 0 1");
    let standard = position.with_castling_mode(CastlingMode::Standard);
    assert_eq!(standard.castling_mode(), CastlingMode::Chess960);
    let without = after(&position, "Kc2").with_castling_mode(CastlingMode::Standard);
    assert_eq!(
        without.castling_mode(),
        CastlingMode::Standard,
        "nothing keeps it any more"
    );
}

#[test]
fn in_chess960_a_step_to_the_target_square_is_a_step() {
    // The king on f1 may step to g1 or castle with the rook on h1; either way it ends on g1.
    let position = position("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
    let step = position.parse_uci("f1g1").expect("legal");
    let castle = position.parse_uci("f1h1").expect("legal");
    assert!(!step.is_castle() && castle.is_castle());
    assert_eq!(step.destination(), castle.destination());
    assert_eq!(position.parse_san("Kg1"), Ok(step));
    assert_eq!(position.parse_san("O-O"), Ok(castle));
    assert_eq!(
        position.play_unchecked(castle).board().to_string(),
        "4k3/8/8/8/8/8/8/5RK1"
    );
}

#[test]
fn in_chess960_a_longer_way_to_the_target_square_is_a_castle() {
    let position = position("4k3/8/8/8/8/8/8/1RK3R1 w GB - 0 1");
    let castle = position.parse_uci("c1g1").expect("legal");
    assert!(
        castle.is_castle(),
        "here the target is also the rook's square"
    );
    let far = super::position("4k3/8/8/8/8/8/8/1K5R w H - 0 1");
    assert_eq!(far.parse_uci("b1g1"), far.parse_uci("b1h1"));
    assert_eq!(
        after(&far, "b1g1").board().to_string(),
        "4k3/8/8/8/8/8/8/5RK1"
    );
}

#[test]
fn in_chess960_king_and_rook_may_change_places_or_stay() {
    for (fen, text, placement) in [
        (
            "4k3/8/8/8/8/8/8/5KR1 w G - 0 1",
            "f1g1",
            "4k3/8/8/8/8/8/8/5RK1",
        ),
        (
            "4k3/8/8/8/8/8/8/6KR w H - 0 1",
            "g1h1",
            "4k3/8/8/8/8/8/8/5RK1",
        ),
        (
            "4k3/8/8/8/8/8/8/2RK4 w C - 0 1",
            "d1c1",
            "4k3/8/8/8/8/8/8/2KR4",
        ),
        (
            "4k3/8/8/8/8/8/8/RK6 w A - 0 1",
            "b1a1",
            "4k3/8/8/8/8/8/8/2KR4",
        ),
        (
            "1rk5/8/8/8/8/8/8/4K3 b b - 0 1",
            "c8b8",
            "2kr4/8/8/8/8/8/8/4K3",
        ),
    ] {
        let start = position(fen);
        let castle = start.parse_uci(text).expect("legal");
        assert!(castle.is_castle(), "{fen}");
        assert_eq!(
            start.play_unchecked(castle).board().to_string(),
            placement,
            "{fen}"
        );
    }
}

#[test]
fn in_chess960_the_rook_must_not_have_shielded_its_king() {
    let shielded = position("4k3/8/8/8/8/8/8/rR1K4 w B - 0 1");
    let reason = IllegalMove::CastlingIntoCheck {
        square: Square::C1,
        attacker: Square::A1,
    };
    assert_eq!(refused(&shielded, "d1b1"), reason);
    let stays = position("4k3/8/8/8/8/8/8/qRK5 w B - 0 1");
    assert!(matches!(
        refused(&stays, "c1b1"),
        IllegalMove::CastlingIntoCheck { .. }
    ));
}

#[test]
fn in_chess960_every_square_king_and_rook_cross_must_be_free() {
    // The rook on b1 goes over c1 to d1, and the king over d1 to c1. A knight on c1 or d1 blocks
    // them; one on a1 does not.
    for (fen, text, by) in [
        ("4k3/8/8/8/8/8/8/1RN1K3 w B - 0 1", "e1b1", Square::C1),
        ("4k3/8/8/8/8/8/8/1R1NK3 w B - 0 1", "e1b1", Square::D1),
        ("4k3/8/8/8/8/8/8/RK1N4 w A - 0 1", "b1a1", Square::D1),
    ] {
        let side = CastlingSide::Queen;
        assert_eq!(
            refused(&position(fen), text),
            IllegalMove::CastlingBlocked { side, by },
            "{fen}"
        );
    }
    assert!(is_legal(
        &position("4k3/8/8/8/8/8/8/NR2K3 w B - 0 1"),
        "e1b1"
    ));
}

#[test]
fn in_chess960_a_castle_can_be_the_only_legal_move() {
    let position = position("6k1/8/8/8/8/5p1p/5PpP/6KR w H - 0 1");
    assert!(position.has_legal_move());
    assert_eq!(moves(&position).into_iter().collect::<Vec<_>>(), ["g1h1"]);
    assert_eq!(position.san(position.legal_moves()[0]).to_string(), "O-O");
}

#[test]
fn an_inner_rook_can_have_the_right() {
    let inner = position("4k3/8/8/8/8/8/8/4K1RR w G - 0 1");
    assert_eq!(inner.castling_rooks().single(), Some(Square::G1));
    let xfen = inner.fen_with(EnPassantMode::Legal, CastlingNotation::XFen);
    assert_eq!(
        xfen, "4k3/8/8/8/8/8/8/4K1RR w G - 0 1",
        "K would be the rook on h1"
    );
    let outer = position("4k3/8/8/8/8/8/8/4K1RR w K - 0 1");
    assert_eq!(outer.castling_rooks().single(), Some(Square::H1));
    let (side, by) = (CastlingSide::King, Square::G1);
    assert_eq!(
        refused(&outer, "e1h1"),
        IllegalMove::CastlingBlocked { side, by }
    );
    assert_eq!(inner.board().role_at(Square::G1), Some(Role::Rook));
}
