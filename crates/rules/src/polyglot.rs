//! The key that Polyglot opening books use. Positions are compared by another key.

mod numbers;

use crate::{CastlingSide, Color, Position, Role, attacks};
use numbers::NUMBERS;

const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const WHITE_TO_MOVE: usize = 780;

impl Position {
    /// Returns the key of this position in Polyglot opening books. It is computed on every call.
    ///
    /// The format counts an en passant square whenever an enemy pawn is next to the pawn that moved, even if it is
    /// pinned; [`Position::key`] counts the square only if the capture is legal.
    ///
    /// ```
    /// use tabiya_rules::Position;
    ///
    /// assert_eq!(Position::start().polyglot_key(), 0x463b_9618_1691_fc9c);
    /// ```
    #[doc(alias = "zobrist")]
    #[doc(alias = "book")]
    #[must_use]
    pub fn polyglot_key(&self) -> u64 {
        let mut key = 0;
        for (square, piece) in self.board.iter() {
            let kind = 2 * piece.role as usize + usize::from(piece.color == Color::White);
            key ^= NUMBERS[64 * kind + square as usize];
        }
        for rook in self.castling_rooks() {
            let color = if (rook as u8) < 8 {
                Color::White
            } else {
                Color::Black
            };
            let Some(king) = self.board.king(color) else {
                continue;
            };
            let side = usize::from(CastlingSide::of(king, rook) == CastlingSide::Queen);
            key ^= NUMBERS[CASTLING + 2 * color as usize + side];
        }
        if let Some(square) = self.en_passant {
            let captors = attacks::pawn(!self.turn, square);
            if !(captors & self.board.pieces(self.turn, Role::Pawn)).is_empty() {
                key ^= NUMBERS[EN_PASSANT + square.file() as usize];
            }
        }
        if self.turn.is_white() {
            key ^= NUMBERS[WHITE_TO_MOVE];
        }
        key
    }
}
