//! A position as written down, before validation.

use core::num::NonZeroU32;

use crate::{Bitboard, Board, CastlingMode, CastlingSide, Color, File, Rank, Role, Square};

/// A raw position: any placement and any claims about it, valid or not. All fields are public; [`Setup::position`]
/// turns it into a [`Position`](crate::Position) if the rules allow it.
///
/// ```
/// use tabiya_rules::{Setup, Color};
///
/// let mut setup = Setup::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")?;
/// setup.turn = Color::Black;
/// assert_eq!(setup.position()?.fen(), "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    /// The pieces.
    pub board: Board,
    /// The side to move.
    pub turn: Color,
    /// The castling rights, as the rooks that may still castle, each on its back rank.
    pub castling_rooks: Bitboard,
    /// The square that a pawn has just passed with a two-square move.
    pub en_passant: Option<Square>,
    /// The half-move clock: plies since the last capture or pawn move.
    pub halfmove_clock: u32,
    /// The move number, which increases after each of Black's moves.
    pub fullmove_number: NonZeroU32,
    /// How castling is written.
    pub mode: CastlingMode,
}

impl Setup {
    /// An empty board with White to move.
    pub const EMPTY: Setup = Setup {
        board: Board::EMPTY,
        turn: Color::White,
        castling_rooks: Bitboard::EMPTY,
        en_passant: None,
        halfmove_clock: 0,
        fullmove_number: NonZeroU32::MIN,
        mode: CastlingMode::Standard,
    };
}

impl Setup {
    /// Returns the rook that a side may castle with, if it has that right.
    #[must_use]
    pub fn castling_right(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let home = Bitboard::back_rank(color);
        let kings = self.board.pieces(color, Role::King) & home;
        let king = kings
            .first()
            .unwrap_or(Square::new(File::E, Rank::First.relative_to(color)));
        (self.castling_rooks & home)
            .into_iter()
            .find(|&rook| CastlingSide::of(king, rook) == side)
    }

    /// Gives a color the right to castle with a rook, or takes the right away. It replaces any other right of that
    /// color on the same side of the board.
    ///
    /// ```
    /// use tabiya_rules::{CastlingSide, Color, Setup, Square};
    ///
    /// let mut setup = Setup::from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")?;
    /// setup.set_castling_right(Color::White, CastlingSide::King, None);
    /// assert_eq!(setup.to_string(), "4k3/8/8/8/8/8/8/R3K2R w Q - 0 1");
    /// setup.set_castling_right(Color::White, CastlingSide::King, Some(Square::H1));
    /// assert_eq!(setup.castling_right(Color::White, CastlingSide::King), Some(Square::H1));
    /// # Ok::<(), tabiya_rules::FenError>(())
    /// ```
    pub fn set_castling_right(&mut self, color: Color, side: CastlingSide, rook: Option<Square>) {
        while let Some(old) = self.castling_right(color, side) {
            self.castling_rooks -= old;
        }
        if let Some(rook) = rook {
            self.castling_rooks |= rook;
        }
    }
}

impl Default for Setup {
    fn default() -> Setup {
        Setup::EMPTY
    }
}
