//! The choice without a search sees mates, hanging pieces, and what would be lost.

use super::*;

fn choose(fen: &str) -> String {
    let position = Position::from_fen(fen).expect("valid");
    let best = best_by_exchanges(&position, &position.legal_moves());
    position.uci(best.expect("a move")).to_string()
}

#[test]
fn it_sees_one_exchange_ahead() {
    assert_eq!(choose("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"), "a1a8");
    assert_eq!(choose("4k3/8/8/3q4/8/8/3R4/4K3 w - - 0 1"), "d2d5");
    // The rook is defended, and the queen is worth more.
    assert_ne!(choose("3rk3/8/8/8/8/8/3Q4/4K3 w - - 0 1"), "d2d8");
    // The knight is attacked by a pawn.
    assert!(choose("4k3/8/8/2p5/1N6/P1P5/8/K7 w - - 0 1").starts_with("b4"));
    assert_eq!(choose("8/P7/8/8/8/8/7k/K7 w - - 0 1"), "a7a8q");
}

#[test]
fn without_a_move_there_is_none() {
    let stalemate = Position::from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").expect("valid");
    assert_eq!(best_by_exchanges(&stalemate, &[]), None);
}
