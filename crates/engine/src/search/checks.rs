//! The squares from which the side to move gives check.

use tabiya_rules::{Bitboard, Move, Position, attacks};

/// The squares from which each kind of piece gives check.
#[derive(Debug)]
pub(super) struct Checks([Bitboard; 6]);

impl Checks {
    pub(super) fn new(position: &Position) -> Checks {
        let board = position.board();
        let Some(king) = board.king(!position.turn()) else {
            return Checks([Bitboard::EMPTY; 6]);
        };
        let occupied = board.occupied();
        let (straight, diagonal) = (
            attacks::rook(king, occupied),
            attacks::bishop(king, occupied),
        );
        Checks([
            attacks::pawn(!position.turn(), king),
            attacks::knight(king),
            diagonal,
            straight,
            straight | diagonal,
            Bitboard::EMPTY,
        ])
    }

    /// Does the piece that moves give check from where it goes? What it uncovers is not asked.
    #[inline]
    pub(super) fn has(&self, m: Move) -> bool {
        let role = m.promotion().unwrap_or(m.role());
        self.0[role as usize].contains(m.to())
    }
}
