//! Exchanges with known values, and a comparison with a recursive exchange search.

use super::*;
use crate::zobrist::SplitMix64;

/// Returns the exact exchange value, by bisection.
fn see(position: &Position, m: Move) -> i32 {
    let (mut low, mut high) = (-50_000, 50_000);
    while low + 1 < high {
        let middle = (low + high) / 2;
        if position.see_ge(m, middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[test]
fn known_exchange_values() {
    let ByRole([pawn, knight, bishop, rook, queen, _]) = PIECE_VALUES;
    for (fen, text, expected) in [
        // Undefended and defended pieces.
        ("4k3/8/8/4p3/8/8/8/4R1K1 w - - 0 1", "Rxe5", pawn),
        ("4k3/8/3p4/4p3/8/8/8/4R1K1 w - - 0 1", "Rxe5", pawn - rook),
        // X-rays: a second attacker behind the first one, and one behind the defender.
        (
            "4k3/8/3p4/4p3/8/8/4R3/4R1K1 w - - 0 1",
            "Rxe5",
            pawn - rook + pawn,
        ),
        (
            "4r1k1/4r3/8/4p3/8/8/4R3/4R1K1 w - - 0 1",
            "Rxe5",
            pawn - rook,
        ),
        // A bishop behind a capturing pawn.
        ("4k3/8/5p2/4p3/3P4/2B5/8/4K3 w - - 0 1", "dxe5", pawn),
        // A king cannot capture a defended piece.
        ("8/8/4k3/4p3/8/8/4R3/4R1K1 w - - 0 1", "Rxe5", pawn),
        // En passant, promotion, castling.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", pawn),
        (
            "3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1",
            "exd8=Q",
            rook + queen - pawn - queen,
        ),
        ("8/P6k/8/8/8/8/8/4K3 w - - 0 1", "a8=N", knight - pawn),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", 0),
        // Quiet moves to a safe square and to an attacked one.
        ("4k3/8/3p4/8/8/2N5/8/4K3 w - - 0 1", "Nb5", 0),
        ("4k3/8/3p4/8/8/3B4/8/4K3 w - - 0 1", "Be4", 0),
        ("4k3/8/3p4/8/8/8/6B1/4K3 w - - 0 1", "Bd5", 0),
        ("4k3/1p6/8/8/8/8/6B1/4K3 w - - 0 1", "Bc6", -bishop),
    ] {
        let position = Position::from_fen(fen).expect("valid");
        let m = position.parse_san(text).expect("legal");
        assert_eq!(see(&position, m), expected, "{fen} {text}");
        assert_eq!(position.see(m), expected, "{fen} {text}");
    }
}

/// Searches an exchange recursively: each side captures with its least valuable piece or stops.
fn recursive(board: &Board, turn: Color, to: Square, occupied: Bitboard, victim: Role) -> i32 {
    let ours = board.attackers_through(to, turn, occupied) & occupied;
    let theirs = board.attackers_through(to, !turn, occupied) & occupied;
    match least_valuable(board, ours) {
        None => 0,
        Some((Role::King, _)) if !theirs.is_empty() => 0,
        Some((role, from)) => {
            let gain = PIECE_VALUES[victim] - recursive(board, !turn, to, occupied - from, role);
            gain.max(0)
        }
    }
}

#[test]
fn a_recursive_search_agrees() {
    let mut compared = 0;
    for seed in 0..60 {
        let mut random = SplitMix64::new(seed);
        let mut position = Position::start();
        for _ in 0..120 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let to_end = Bitboard::BACK_RANKS;
            for &m in &moves {
                let plain = !m.is_castle() && !m.is_en_passant() && !to_end.contains(m.to());
                let attackers = position.board().attackers(m.to(), Color::White).count()
                    + position.board().attackers(m.to(), Color::Black).count();
                if !plain || attackers > 6 {
                    continue;
                }
                let board = position.board();
                let occupied = (board.occupied() - m.from()) | m.to();
                let captured = board.role_at(m.to()).map_or(0, |role| PIECE_VALUES[role]);
                let answer = recursive(board, !position.turn(), m.to(), occupied, m.role());
                assert_eq!(see(&position, m), captured - answer, "{position} {m:?}");
                assert_eq!(position.see(m), captured - answer, "{position} {m:?}");
                compared += 1;
            }
            position = position.play_unchecked(moves[random.below(moves.len())]);
        }
    }
    assert!(compared > 10_000);
}
