//! Promotion: the move must name the piece, and the piece must be a legal choice.

use tabiya_rules::{IllegalMove, Role, SanError, Square, UciError};

use super::{moves, position, refused};

const START: &str = "8/4P3/8/8/8/8/8/k6K w - - 0 1";

#[test]
fn a_promotion_without_a_piece_is_refused_with_the_choice() {
    let start = position(START);
    let reason = refused(&start, "e7e8");
    assert_eq!(reason, IllegalMove::PromotionRequired);
    assert_eq!(
        reason.to_string(),
        "Promotion piece required: q, r, b or n."
    );
    assert_eq!(start.parse_san("e8"), Err(SanError::PromotionRequired));
}

#[test]
fn a_pawn_becomes_a_queen_a_rook_a_bishop_or_a_knight() {
    let start = position(START);
    for (text, role) in [
        ("e7e8q", Role::Queen),
        ("e7e8r", Role::Rook),
        ("e7e8b", Role::Bishop),
        ("e7e8n", Role::Knight),
    ] {
        let m = start.parse_uci(text).expect("legal");
        assert_eq!((m.promotion(), m.role()), (Some(role), Role::Pawn));
        assert_eq!(
            start.play_unchecked(m).board().role_at(Square::E8),
            Some(role)
        );
    }
    assert_eq!(
        moves(&start)
            .iter()
            .filter(|text| text.starts_with("e7e8"))
            .count(),
        4
    );
}

#[test]
fn kings_pawns_and_trailing_text_are_no_promotion() {
    let start = position(START);
    for text in ["e7e8k", "e7e8p", "e7e8qx", "e7e8Q", "e7e8 q", "e7e8="] {
        assert!(
            matches!(start.parse_uci(text), Err(UciError::Syntax(_))),
            "{text}"
        );
    }
    for text in ["e8=K", "e8=P", "e8K", "e8=Qx", "e8=QQ"] {
        assert!(start.parse_san(text).is_err(), "{text}");
    }
    for role in [Role::King, Role::Pawn] {
        let refused = start.find_move(Square::E7, Square::E8, Some(role));
        assert_eq!(refused, Err(IllegalMove::NoPromotion), "{role}");
    }
}

#[test]
fn nothing_else_is_promoted() {
    let start = position("4k3/8/8/8/8/8/4P2R/4K3 w - - 0 1");
    for text in ["e2e4q", "e2e3n", "h2h8q", "e1d1r"] {
        assert_eq!(refused(&start, text), IllegalMove::NoPromotion, "{text}");
    }
}

#[test]
fn a_promotion_can_capture_and_can_be_refused_like_any_move() {
    let start = position("3r4/4P2k/8/8/8/8/8/K7 w - - 0 1");
    assert_eq!(
        moves(&start)
            .iter()
            .filter(|text| text.starts_with("e7"))
            .count(),
        8
    );
    let own = position("k7/8/8/8/7K/8/4p3/4r3 b - - 0 1");
    assert_eq!(
        refused(&own, "e2e1q"),
        IllegalMove::OwnPiece {
            square: Square::E1,
            piece: Role::Rook.of(tabiya_rules::Color::Black),
        }
    );
    let blocked = position("k3r3/4P3/8/8/8/8/8/K7 w - - 0 1");
    assert_eq!(
        refused(&blocked, "e7e8q"),
        IllegalMove::Blocked { by: Square::E8 }
    );
}
