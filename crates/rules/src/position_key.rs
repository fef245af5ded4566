//! The key by which a position is found in files: the 64 bits of its Zobrist key, and 16 more from another hash.
//!
//! Both are part of the formats of databases and training records, so they never change. docs/database.md says how to make
//! them.

use crate::{Bitboard, Color, Position, Role};

/// The key of a position in a file, such as a database.
///
/// Positions that are equal by `==` have equal keys. The counters do not matter, and an en passant square matters only if
/// a pawn can capture there. Keys are ordered by the unsigned hash.
///
/// ```
/// use tabiya_rules::{Position, PositionKey};
///
/// let key = PositionKey::of(&Position::start());
/// assert_eq!(key.hash, Position::start().key());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PositionKey {
    /// The Zobrist key, [`Position::key`].
    pub hash: u64,
    /// Sixteen bits of another hash, which tell apart positions that share the first.
    pub check: u16,
}

impl PositionKey {
    /// The key of a position.
    #[must_use]
    pub fn of(position: &Position) -> PositionKey {
        PositionKey {
            hash: position.key(),
            check: check(position),
        }
    }

    /// The hash in the type that every query engine has.
    #[must_use]
    pub const fn signed(self) -> i64 {
        self.hash.cast_signed()
    }
}

/// The high bits of a hash of everything that makes a position: the sets of squares of the six roles, those of White,
/// the rooks that may castle, and one word for the rest.
fn check(position: &Position) -> u16 {
    let board = position.board();
    let mut hash = 0;
    for role in Role::ALL {
        hash = mix(hash ^ bits(board.by_role(role)));
    }
    hash = mix(hash ^ bits(board.by_color(Color::White)));
    hash = mix(hash ^ bits(position.castling_rooks()));
    let en_passant = position
        .legal_en_passant()
        .map_or(64, |square| square.index() as u64);
    let turn = match position.turn() {
        Color::White => 0,
        Color::Black => 128,
    };
    (mix(hash ^ (en_passant | turn)) >> 48) as u16
}

fn bits(set: Bitboard) -> u64 {
    set.0
}

/// One step of the hash: a bijection that lets every bit of the input reach the high bits.
const fn mix(word: u64) -> u64 {
    let word = (word ^ word >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word ^ word >> 29
}
