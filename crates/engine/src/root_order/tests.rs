//! The order without a search sees mates, hanging pieces, and what would be lost.

use super::*;

fn first(fen: &str) -> String {
    let position = Position::from_fen(fen).expect("valid");
    let mut moves = position.legal_moves().to_vec();
    order_root_moves(&position, &mut moves, None);
    position.uci(moves[0]).to_string()
}

#[test]
fn it_sees_one_exchange_ahead() {
    assert_eq!(first("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"), "a1a8");
    assert_eq!(first("4k3/8/8/3q4/8/8/3R4/4K3 w - - 0 1"), "d2d5");
    // The rook is defended, and the queen is worth more.
    assert_ne!(first("3rk3/8/8/8/8/8/3Q4/4K3 w - - 0 1"), "d2d8");
    // The knight is attacked by a pawn.
    assert!(first("4k3/8/8/2p5/1N6/P1P5/8/K7 w - - 0 1").starts_with("b4"));
    assert_eq!(first("8/P7/8/8/8/8/7k/K7 w - - 0 1"), "a7a8q");
}

#[test]
fn a_seed_shuffles_equal_moves_only() {
    let position = Position::from_fen("4k3/8/8/3q4/8/8/3R4/4K3 w - - 0 1").expect("valid");
    let sorted = |seed| {
        let mut moves = position.legal_moves().to_vec();
        order_root_moves(&position, &mut moves, Some(seed));
        moves
    };
    assert_eq!(sorted(1), sorted(1));
    assert!((2..6).any(|seed| sorted(seed) != sorted(1)));
    assert!((1..6).all(|seed| position.uci(sorted(seed)[0]).to_string() == "d2d5"));
}
