//! A valid position, and its accessors.

mod delta;
mod generate;
mod illegal_move;
mod play;
mod queries;
mod see;
mod status;
mod validate;

#[cfg(test)]
mod tests;

use core::fmt;
use core::hash::{Hash, Hasher};

use crate::{Bitboard, Board, CastlingMode, Color, File, Role, Setup, Square, zobrist};

pub use delta::MoveDelta;
pub use generate::{MoveFilter, MoveSet};
pub use illegal_move::IllegalMove;
pub use play::PlayError;
pub use see::PIECE_VALUES;
pub use status::Status;
pub use validate::{SetupError, SetupErrorKind, Waivers};

/// A valid position: pieces, side to move, castling rights, en passant, clocks.
///
/// `==` and `Hash` follow the Laws' definition of the same position: placement, side to move, castling
/// rights, and the en passant square only if a legal move captures there. They ignore the counters and the
/// castling mode; compare [`Position::setup`] for those.
///
/// ```
/// use tabiya_rules::Position;
///
/// let mut position = Position::start();
/// for text in ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"] {
///     position = position.play(position.parse_san(text)?)?;
/// }
/// assert!(position.is_check() && !position.has_legal_move());
/// assert_eq!(position.fen(), "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Position {
    pub(crate) board: Board,
    /// The rooks that may still castle.
    pub(crate) castling: u64,
    /// The part of the key for the pieces and the side to move, updated by every move.
    pub(crate) placement_key: u64,
    pub(crate) halfmove_clock: u32,
    pub(crate) fullmove_number: u32,
    pub(crate) turn: Color,
    /// The square that a pawn has just passed with a two-square move.
    pub(crate) en_passant: Option<Square>,
    /// The file of that square, if a legal move captures there. Only then is it part of the key.
    pub(crate) capturable_file: Option<File>,
    pub(crate) mode: CastlingMode,
}

const _: () = assert!(size_of::<Position>() <= 96);

impl Position {
    /// Returns the standard start position.
    #[must_use]
    pub fn start() -> Position {
        match Position::chess960(518) {
            Some(position) => position.with_castling_mode(CastlingMode::Standard),
            None => unreachable!("518 is below 960"),
        }
    }

    /// Returns the pieces.
    #[inline]
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the side to move.
    #[inline]
    #[must_use]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// Returns the rooks that may still castle.
    #[inline]
    #[must_use]
    pub const fn castling_rooks(&self) -> Bitboard {
        Bitboard(self.castling)
    }

    /// Returns the square that a pawn has just passed with a two-square move, whether or not it can be
    /// captured there.
    #[inline]
    #[must_use]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Returns the en passant square, if a legal move captures there.
    #[inline]
    #[must_use]
    pub const fn legal_en_passant(&self) -> Option<Square> {
        if self.capturable_file.is_some() {
            self.en_passant
        } else {
            None
        }
    }

    /// Returns the half-move clock: plies since the last capture or pawn move.
    #[inline]
    #[must_use]
    pub const fn halfmove_clock(&self) -> u32 {
        self.halfmove_clock
    }

    /// Returns the move number, which increases after each of Black's moves.
    #[inline]
    #[must_use]
    pub const fn fullmove_number(&self) -> u32 {
        self.fullmove_number
    }

    /// Returns how castling is written.
    #[inline]
    #[must_use]
    pub const fn castling_mode(&self) -> CastlingMode {
        self.mode
    }

    /// Returns the same position with castling written the other way. A position whose rights standard
    /// chess cannot express stays in Chess960.
    #[must_use]
    pub fn with_castling_mode(mut self, mode: CastlingMode) -> Position {
        self.mode = match mode {
            CastlingMode::Standard if !self.setup().has_standard_castling() => {
                CastlingMode::Chess960
            }
            mode => mode,
        };
        self
    }

    /// Returns a hash that is equal for equal positions and, but for a chance of one in 2⁶⁴, different for
    /// others. It may change between versions of this library; [`Position::polyglot_key`] never does.
    #[doc(alias = "zobrist")]
    #[doc(alias = "hash")]
    #[inline]
    #[must_use]
    pub fn key(&self) -> u64 {
        self.placement_key
            ^ zobrist::castling(self.castling)
            ^ zobrist::en_passant(self.capturable_file)
    }

    /// Returns the position as a setup, clocks included.
    #[must_use]
    pub fn setup(&self) -> Setup {
        Setup {
            board: self.board,
            turn: self.turn,
            castling_rooks: Bitboard(self.castling),
            en_passant: self.en_passant,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: core::num::NonZeroU32::new(self.fullmove_number)
                .unwrap_or(core::num::NonZeroU32::MIN),
            mode: self.mode,
        }
    }

    /// Computes the pieces' part of the key from scratch.
    pub(crate) fn piece_key(board: &Board) -> u64 {
        let mut key = 0;
        for color in Color::ALL {
            for role in Role::ALL {
                for square in board.pieces(color, role) {
                    key ^= zobrist::piece(color, role, square);
                }
            }
        }
        key
    }
}

impl Default for Position {
    /// Returns the standard start position.
    fn default() -> Position {
        Position::start()
    }
}

impl PartialEq for Position {
    #[inline]
    fn eq(&self, other: &Position) -> bool {
        self.placement_key == other.placement_key
            && self.turn == other.turn
            && self.castling == other.castling
            && self.legal_en_passant() == other.legal_en_passant()
            && self.board == other.board
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key());
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}
