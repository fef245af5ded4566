//! Castling: the mode, the two sides of the board, and where the king and the rook end up.

use core::fmt;

use crate::{Color, File, Rank, Square};

/// Whether moves and rights are written for standard chess or for Chess960. The rules are the same:
/// castling is the king taking its own rook, and standard chess is start position number 518.
///
/// ```
/// use tabiya_rules::{CastlingMode, Position};
///
/// assert_eq!(Position::start().castling_mode(), CastlingMode::Standard);
/// let shuffled = Position::chess960(0).unwrap();
/// assert_eq!(shuffled.castling_mode(), CastlingMode::Chess960);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
// 32 bits wide, so that copying a position copies it with one instruction.
#[repr(u32)]
pub enum CastlingMode {
    /// Castling is written `e1g1`, and castling rights `KQkq`.
    #[default]
    Standard,
    /// Castling is written `e1h1`, and castling rights with the rooks' files, `HAha`.
    Chess960,
}

/// One of the two ways to castle.
///
/// ```
/// use tabiya_rules::{CastlingSide, Color, Position, Square};
///
/// let position = Position::from_fen("r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1")?;
/// assert_eq!(position.castling_right(Color::White, CastlingSide::King), Some(Square::H1));
/// assert_eq!(position.castling_right(Color::White, CastlingSide::Queen), None);
/// assert_eq!(CastlingSide::King.king_target(Color::White), Square::G1);
/// # Ok::<(), tabiya_rules::ParseFenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CastlingSide {
    /// Towards the h-file: the king to the g-file, the rook to the f-file.
    King,
    /// Towards the a-file: the king to the c-file, the rook to the d-file.
    Queen,
}

impl CastlingSide {
    /// Both sides, the king's first.
    pub const ALL: [CastlingSide; 2] = [CastlingSide::King, CastlingSide::Queen];

    /// Returns the side on which a rook stands, seen from its king.
    #[inline]
    #[must_use]
    pub const fn of(king: Square, rook: Square) -> CastlingSide {
        if (king as u8) < rook as u8 {
            CastlingSide::King
        } else {
            CastlingSide::Queen
        }
    }

    /// Returns where the king of that color ends up.
    #[inline]
    #[must_use]
    pub const fn king_target(self, color: Color) -> Square {
        let file = match self {
            CastlingSide::King => File::G,
            CastlingSide::Queen => File::C,
        };
        Square::new(file, Rank::First.relative_to(color))
    }

    /// Returns where the rook of that color ends up.
    #[inline]
    #[must_use]
    pub const fn rook_target(self, color: Color) -> Square {
        let file = match self {
            CastlingSide::King => File::F,
            CastlingSide::Queen => File::D,
        };
        Square::new(file, Rank::First.relative_to(color))
    }

    /// Returns the corner where the rook of this side starts in standard chess.
    #[must_use]
    pub const fn standard_rook(self, color: Color) -> Square {
        let file = match self {
            CastlingSide::King => File::H,
            CastlingSide::Queen => File::A,
        };
        Square::new(file, Rank::First.relative_to(color))
    }
}

impl fmt::Display for CastlingSide {
    /// Writes `O-O` or `O-O-O`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            CastlingSide::King => "O-O",
            CastlingSide::Queen => "O-O-O",
        })
    }
}
