//! Exchanges counted by hand, and against playing them out.

use tabiya_rules::SplitMix64;

use super::*;

/// The exact worth of an exchange, by asking for more and more.
fn worth(position: &Position, m: Move) -> i32 {
    let (mut low, mut high) = (-50_000, 50_000);
    while low + 1 < high {
        let middle = (low + high) / 2;
        if brings(position, m, middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[test]
fn exchanges_counted_by_hand() {
    let [pawn, knight, bishop, rook, queen, _] = VALUES;
    for (fen, text, expected) in [
        // Free, and defended.
        ("4k3/8/8/4p3/8/8/8/4R1K1 w - - 0 1", "Rxe5", pawn),
        ("4k3/8/3p4/4p3/8/8/8/4R1K1 w - - 0 1", "Rxe5", pawn - rook),
        // A second attacker behind the first, and behind the defender.
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
        // A bishop behind a pawn that captures.
        ("4k3/8/5p2/4p3/3P4/2B5/8/4K3 w - - 0 1", "dxe5", pawn),
        // A king may not take what is defended.
        ("8/8/4k3/4p3/8/8/4R3/4R1K1 w - - 0 1", "Rxe5", pawn),
        // En passant, promotion, castle.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", pawn),
        (
            "3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1",
            "exd8=Q",
            rook + queen - pawn - queen,
        ),
        ("8/P6k/8/8/8/8/8/4K3 w - - 0 1", "a8=N", knight - pawn),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", 0),
        // A move that takes nothing, to a safe square and to one that is not.
        ("4k3/8/3p4/8/8/2N5/8/4K3 w - - 0 1", "Nb5", 0),
        ("4k3/8/3p4/8/8/3B4/8/4K3 w - - 0 1", "Be4", 0),
        ("4k3/8/3p4/8/8/8/6B1/4K3 w - - 0 1", "Bd5", 0),
        ("4k3/1p6/8/8/8/8/6B1/4K3 w - - 0 1", "Bc6", -bishop),
    ] {
        let position = Position::from_fen(fen).expect("valid");
        let m = position.parse_san(text).expect("legal");
        assert_eq!(worth(&position, m), expected, "{fen} {text}");
    }
}

/// The same by playing it out: each side takes with its cheapest piece or stops.
fn slow(board: &Board, turn: Color, to: Square, occupied: Bitboard, standing: Role) -> i32 {
    let ours = board.attackers_through(to, turn, occupied) & occupied;
    let theirs = board.attackers_through(to, !turn, occupied) & occupied;
    match cheapest(board, ours) {
        None => 0,
        Some((Role::King, _)) if !theirs.is_empty() => 0,
        Some((role, from)) => {
            let gain = VALUES[standing as usize] - slow(board, !turn, to, occupied - from, role);
            gain.max(0)
        }
    }
}

#[test]
fn exchanges_played_out() {
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
                let taken = board
                    .role_at(m.to())
                    .map_or(0, |role| VALUES[role as usize]);
                let answer = slow(board, !position.turn(), m.to(), occupied, m.role());
                assert_eq!(worth(&position, m), taken - answer, "{position} {m:?}");
                compared += 1;
            }
            position = position.play_unchecked(moves[random.below(moves.len())]);
        }
    }
    assert!(compared > 10_000);
}
