//! Upcoming repetitions: all reversible moves, by the difference that they make to a position's key. If the difference to
//! an earlier position is among them, one move repeats that position. (Van Kervinck's idea, known from cuckoo tables; here
//! with linear probing.)

use std::sync::LazyLock;

use tabiya_rules::{Bitboard, Color, Piece, Role, Setup, Square, Waivers, attacks};

/// The slots of the table, about four times as many as there are moves.
const SIZE: usize = 1 << 14;

/// A key difference, and the squares that must be empty. A difference of 0 stands for no move.
type Entry = (u64, Bitboard);

/// All moves of all pieces but pawns, by their difference; collisions take the next free slot.
static MOVES: LazyLock<Box<[Entry]>> = LazyLock::new(|| {
    let mut table = vec![(0, Bitboard::EMPTY); SIZE].into_boxed_slice();
    for color in Color::ALL {
        for role in Role::ALL.into_iter().filter(|&role| role != Role::Pawn) {
            let piece = role.of(color);
            for from in Square::ALL {
                let targets = attacks::of(role, color, from, Bitboard::EMPTY);
                for to in targets.into_iter().filter(|&to| from < to) {
                    let difference = key(piece, from, Color::White) ^ key(piece, to, Color::Black);
                    let mut slot = difference as usize % SIZE;
                    while table[slot].0 != 0 {
                        slot = (slot + 1) % SIZE;
                    }
                    table[slot] = (difference, attacks::between(from, to));
                }
            }
        }
    }
    table
});

/// The key of a board with a single piece.
fn key(piece: Piece, square: Square, turn: Color) -> u64 {
    let mut setup = Setup::EMPTY;
    setup.board.set(square, piece);
    setup.turn = turn;
    setup
        .position_waiving(Waivers::ALL)
        .map_or(0, |position| position.key())
}

/// Is the difference of two keys that of a reversible move whose path is free?
pub(super) fn is_reversible_move(difference: u64, occupied: Bitboard) -> bool {
    let moves = &**MOVES;
    let mut slot = difference as usize % SIZE;
    while moves[slot].0 != 0 {
        if moves[slot].0 == difference {
            return (moves[slot].1 & occupied).is_empty();
        }
        slot = (slot + 1) % SIZE;
    }
    false
}
