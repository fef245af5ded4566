//! The squares from which the side to move gives check.

use tabiya_rules::{Bitboard, Move, Position, attacks};

/// For each role, the squares from which such a piece attacks the enemy king.
#[derive(Debug)]
pub(super) struct CheckSquares([Bitboard; 6]);

impl CheckSquares {
    /// The squares from which each role would give check.
    pub(super) fn new(position: &Position) -> CheckSquares {
        let board = position.board();
        let Some(king) = board.king(!position.turn()) else {
            return CheckSquares([Bitboard::EMPTY; 6]);
        };
        let occupied = board.occupied();
        let (straight, diagonal) = (
            attacks::rook(king, occupied),
            attacks::bishop(king, occupied),
        );
        CheckSquares([
            attacks::pawn(!position.turn(), king),
            attacks::knight(king),
            diagonal,
            straight,
            straight | diagonal,
            Bitboard::EMPTY,
        ])
    }

    /// Does the moving piece give check from its target square? Discovered checks are not detected.
    #[inline]
    pub(super) fn is_direct_check(&self, m: Move) -> bool {
        let role = m.promotion().unwrap_or(m.role());
        self.0[role as usize].contains(m.to())
    }
}
