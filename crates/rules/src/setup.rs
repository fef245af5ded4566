//! A position as it was written down, before anyone asked whether it makes sense.

use core::num::NonZeroU32;

use crate::Square;
use crate::{Bitboard, Board, CastlingMode, Color};

/// A raw position: any placement, with whatever is claimed about it. All fields are public;
/// [`Setup::position`] turns it into a [`Position`](crate::Position) if the rules allow it.
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
    /// The rooks that may still castle, each on its back rank; this is how rights are kept.
    pub castling_rooks: Bitboard,
    /// The square a pawn passed over by its two-square move just now.
    pub en_passant: Option<Square>,
    /// Half-moves since the last capture or pawn move.
    pub halfmove_clock: u32,
    /// The number of the move, raised after each of Black's.
    pub fullmove_number: NonZeroU32,
    /// How castling is to be written.
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

impl Default for Setup {
    fn default() -> Setup {
        Setup::EMPTY
    }
}
