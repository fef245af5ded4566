//! What each piece attacks from each square, and the lines between squares.
//!
//! Kings, knights and pawns have tables; sliding attacks come from [`crate::cpu`], which chooses the fastest form
//! for this CPU.

#[cfg(test)]
mod tests;

use crate::cpu::Sliders;
use crate::sliders::walk;
use crate::{Bitboard, Color, Role, Square};

/// Returns the squares a king attacks.
///
/// ```
/// use tabiya_rules::{Square, attacks};
///
/// assert_eq!(attacks::king(Square::A1).count(), 3);
/// ```
#[inline]
#[must_use]
pub fn king(square: Square) -> Bitboard {
    Bitboard(KING[square as usize])
}

/// Returns the squares a knight attacks.
///
/// ```
/// use tabiya_rules::{Square, attacks};
///
/// assert_eq!(attacks::knight(Square::E4).count(), 8);
/// ```
#[inline]
#[must_use]
pub fn knight(square: Square) -> Bitboard {
    Bitboard(KNIGHT[square as usize])
}

/// Returns the squares a pawn of a color attacks, which are not those it moves to without capturing.
///
/// ```
/// use tabiya_rules::{Color, Square, attacks};
///
/// let squares: Vec<Square> = attacks::pawn(Color::White, Square::E4).into_iter().collect();
/// assert_eq!(squares, [Square::D5, Square::F5]);
/// ```
#[inline]
#[must_use]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    Bitboard(PAWN[color as usize][square as usize])
}

/// Returns the squares a rook attacks, up to and including the first piece in each direction.
///
/// ```
/// use tabiya_rules::{Bitboard, Square, attacks};
///
/// assert_eq!(attacks::rook(Square::E4, Bitboard::EMPTY).count(), 14);
/// ```
#[inline]
#[must_use]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    crate::cpu::compile_time_sliders().rook(square, occupied)
}

/// Returns the squares a bishop attacks, up to and including the first piece in each direction.
///
/// ```
/// use tabiya_rules::{Bitboard, Square, attacks};
///
/// assert_eq!(attacks::bishop(Square::E4, Bitboard::EMPTY).count(), 13);
/// ```
#[inline]
#[must_use]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    crate::cpu::compile_time_sliders().bishop(square, occupied)
}

/// Returns the squares a queen attacks, up to and including the first piece in each direction.
///
/// ```
/// use tabiya_rules::{Bitboard, Square, attacks};
///
/// assert_eq!(attacks::queen(Square::E4, Bitboard::EMPTY).count(), 27);
/// ```
#[inline]
#[must_use]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    rook(square, occupied) | bishop(square, occupied)
}

/// Returns the squares a piece attacks from `square`.
///
/// ```
/// use tabiya_rules::{attacks, Bitboard, Color, Role, Square};
///
/// let blockers = Bitboard::of(Square::E6);
/// let seen = attacks::of(Role::Rook, Color::White, Square::E4, blockers);
/// assert!(seen.contains(Square::E6) && !seen.contains(Square::E7));
/// ```
#[must_use]
pub fn of(role: Role, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => pawn(color, square),
        Role::Knight => knight(square),
        Role::Bishop => bishop(square, occupied),
        Role::Rook => rook(square, occupied),
        Role::Queen => queen(square, occupied),
        Role::King => king(square),
    }
}

/// Returns the squares strictly between two squares on one rank, file or diagonal; empty for other pairs.
///
/// ```
/// use tabiya_rules::{Square, attacks};
///
/// let squares: Vec<Square> = attacks::between(Square::E1, Square::E4).into_iter().collect();
/// assert_eq!(squares, [Square::E2, Square::E3]);
/// assert!(attacks::between(Square::E1, Square::F3).is_empty());
/// ```
#[inline]
#[must_use]
pub fn between(from: Square, to: Square) -> Bitboard {
    Bitboard(BETWEEN[from as usize][to as usize])
}

/// Returns the whole rank, file or diagonal through two squares; empty if they share none.
///
/// ```
/// use tabiya_rules::{Square, attacks};
///
/// assert!(attacks::line(Square::B2, Square::C3).contains(Square::H8));
/// assert!(attacks::line(Square::B2, Square::C4).is_empty());
/// ```
#[must_use]
pub fn line(from: Square, to: Square) -> Bitboard {
    if from == to {
        return Bitboard::EMPTY;
    }
    let ends = Bitboard::of(from) | to;
    for reach in [rook, bishop] {
        if reach(from, Bitboard::EMPTY).contains(to) {
            return (reach(from, Bitboard::EMPTY) & reach(to, Bitboard::EMPTY)) | ends;
        }
    }
    Bitboard::EMPTY
}

pub(crate) static KING: [u64; 64] = walk::steps(&walk::KING_STEPS);
pub(crate) static KNIGHT: [u64; 64] = walk::steps(&walk::KNIGHT_STEPS);
pub(crate) static PAWN: [[u64; 64]; 2] = [
    walk::steps(&[(-1, 1), (1, 1)]),
    walk::steps(&[(-1, -1), (1, -1)]),
];
pub(crate) static BETWEEN: [[u64; 64]; 64] = walk::between();
/// What rooks and bishops attack on an empty board.
pub(crate) static ROOK_RAYS: [u64; 64] = walk::rays(&walk::ROOK_STEPS);
pub(crate) static BISHOP_RAYS: [u64; 64] = walk::rays(&walk::BISHOP_STEPS);
