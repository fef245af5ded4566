//! What a move changes on the board, for evaluations that follow the play.

use super::Position;
use crate::{CastlingSide, Move, Piece, Role, Square};

/// The squares a move empties and fills. Taking the emptied pieces off and putting the filled
/// ones on turns the board before the move into the board after it.
///
/// ```
/// use tabiya_rules::{Position, Square};
///
/// let start = Position::start();
/// let change = start.change(start.parse_san("e4")?);
/// assert_eq!(change.emptied()[0].0, Square::E2);
/// assert_eq!(change.filled()[0].0, Square::E4);
/// # Ok::<(), tabiya_rules::SanError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    emptied: [(Square, Piece); 2],
    filled: [(Square, Piece); 2],
    emptied_count: u8,
    filled_count: u8,
}

impl Change {
    /// The pieces taken off the board: the one that moves, then a captured one or a castling rook.
    #[inline]
    #[must_use]
    pub fn emptied(&self) -> &[(Square, Piece)] {
        self.emptied
            .get(..usize::from(self.emptied_count))
            .unwrap_or(&[])
    }

    /// The pieces put on the board: the one that moved, as what it now is, then a castling rook.
    #[inline]
    #[must_use]
    pub fn filled(&self) -> &[(Square, Piece)] {
        self.filled
            .get(..usize::from(self.filled_count))
            .unwrap_or(&[])
    }
}

impl Position {
    /// What a legal move changes.
    #[must_use]
    pub fn change(&self, m: Move) -> Change {
        let us = self.turn;
        if m.is_castle() {
            let side = CastlingSide::of(m.from(), m.to());
            let (king, rook) = (Role::King.of(us), Role::Rook.of(us));
            return Change {
                emptied: [(m.from(), king), (m.to(), rook)],
                filled: [(side.king_target(us), king), (side.rook_target(us), rook)],
                emptied_count: 2,
                filled_count: 2,
            };
        }
        let (role, placed) = m.roles();
        let moved = (m.from(), role.of(us));
        let filled = (m.to(), placed.of(us));
        let captured = self.captured(m);
        Change {
            emptied: [moved, captured.unwrap_or(moved)],
            filled: [filled, filled],
            emptied_count: 1 + u8::from(captured.is_some()),
            filled_count: 1,
        }
    }
}
