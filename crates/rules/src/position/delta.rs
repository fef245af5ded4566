//! What a move changes on the board, for evaluations that are updated move by move.

use super::Position;
use crate::{CastlingSide, Move, Piece, Role, Square};

/// The squares that a move empties and fills. Taking the removed pieces off the board and putting the added ones on it
/// turns the board before the move into the board after it.
///
/// ```
/// use tabiya_rules::{Position, Square};
///
/// let start = Position::start();
/// let delta = start.delta(start.parse_san("e4")?);
/// assert_eq!(delta.removed()[0].0, Square::E2);
/// assert_eq!(delta.added()[0].0, Square::E4);
/// # Ok::<(), tabiya_rules::SanError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveDelta {
    removed: [(Square, Piece); 2],
    added: [(Square, Piece); 2],
    removed_count: u8,
    added_count: u8,
}

impl MoveDelta {
    /// Returns the pieces taken off the board: the one that moves, then a captured one or a castling rook.
    #[inline]
    #[must_use]
    pub fn removed(&self) -> &[(Square, Piece)] {
        self.removed
            .get(..usize::from(self.removed_count))
            .unwrap_or(&[])
    }

    /// Returns the pieces put on the board: the one that moved, promoted if it was, then a castling rook.
    #[inline]
    #[must_use]
    pub fn added(&self) -> &[(Square, Piece)] {
        self.added
            .get(..usize::from(self.added_count))
            .unwrap_or(&[])
    }
}

impl Position {
    /// Returns what a legal move changes.
    #[must_use]
    pub fn delta(&self, m: Move) -> MoveDelta {
        let us = self.turn;
        if m.is_castle() {
            let side = CastlingSide::of(m.from(), m.to());
            let (king, rook) = (Role::King.of(us), Role::Rook.of(us));
            return MoveDelta {
                removed: [(m.from(), king), (m.to(), rook)],
                added: [(side.king_target(us), king), (side.rook_target(us), rook)],
                removed_count: 2,
                added_count: 2,
            };
        }
        let (role, placed) = m.roles();
        let moved = (m.from(), role.of(us));
        let added = (m.to(), placed.of(us));
        let captured = self.captured(m);
        MoveDelta {
            removed: [moved, captured.unwrap_or(moved)],
            added: [added, added],
            removed_count: 1 + u8::from(captured.is_some()),
            added_count: 1,
        }
    }
}
