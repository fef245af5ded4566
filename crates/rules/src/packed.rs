//! Positions packed into 32 bytes.
//!
//! | bytes | hold |
//! | --- | --- |
//! | 0 to 7 | the occupied squares, a1 in the lowest bit of the first byte |
//! | 8 to 23 | four bits for each piece in the order of their squares, the low half of each byte first; the rest is 0 |
//! | 24 to 27 | the half-move clock in the low 31 bits; the highest bit is 1 if Black is to move |
//! | 28 to 31 | the move number in the low 31 bits; the highest bit is 1 in Chess960 |
//!
//! Numbers are little-endian. The four bits of a piece are its role, 0 for a pawn to 5 for a king, plus 8 for Black;
//! 6 and 14 are White's and Black's rooks that may castle, and 7 is the pawn that has just made a two-square move. 15
//! is unused.

use core::error::Error;
use core::fmt;
use core::num::NonZeroU32;

use crate::{
    Bitboard, Board, CastlingMode, Color, Piece, Position, Role, Setup, SetupError, Square, Waivers,
};

const CASTLING_ROOK: u8 = 6;
const PASSING_PAWN: u8 = 7;
const BLACK: u8 = 8;
const HIGHEST: u32 = 1 << 31;

impl Position {
    /// Packs the position into 32 bytes, with everything that a FEN says and the castling mode. Returns `None` if it
    /// has more than 32 pieces, or counters above the limit of a FEN. The format does not change between versions.
    ///
    /// ```
    /// use tabiya_rules::Position;
    ///
    /// let position = Position::from_fen("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 3 27")?;
    /// let packed = position.pack().ok_or("too many pieces")?;
    /// let back = Position::unpack(&packed)?;
    /// assert_eq!(back.setup(), position.setup());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "compress")]
    #[must_use]
    pub fn pack(&self) -> Option<[u8; 32]> {
        let occupied = self.board.occupied();
        if occupied.count() > 32
            || self.halfmove_clock >= HIGHEST
            || self.fullmove_number >= HIGHEST
        {
            return None;
        }
        let passing = self
            .en_passant
            .map(|square| Square::from_low_bits(square as u32 ^ 8));
        let mut packed = [0; 32];
        packed[..8].copy_from_slice(&occupied.0.to_le_bytes());
        for (index, (square, piece)) in self.board.iter().enumerate() {
            let side = match piece.color {
                Color::White => 0,
                Color::Black => BLACK,
            };
            let code = if passing == Some(square) {
                PASSING_PAWN
            } else if Bitboard(self.castling).contains(square) {
                CASTLING_ROOK | side
            } else {
                piece.role as u8 | side
            };
            packed[8 + index / 2] |= code << (index % 2 * 4);
        }
        let turn = self.turn as u32 * HIGHEST;
        packed[24..28].copy_from_slice(&(self.halfmove_clock | turn).to_le_bytes());
        let mode = match self.mode {
            CastlingMode::Standard => 0,
            CastlingMode::Chess960 => HIGHEST,
        };
        packed[28..].copy_from_slice(&(self.fullmove_number | mode).to_le_bytes());
        Some(packed)
    }

    /// Returns the position that [`Position::pack`] packed into these bytes. It never panics, and accepts only what
    /// `pack` writes, so a position has exactly one packed form. Positions made with [waivers](Waivers) can be unpacked
    /// too, but castling rights that do not fit the board are refused.
    ///
    /// # Errors
    /// Fails if the bytes are not a packed position, or the position is impossible.
    pub fn unpack(packed: &[u8; 32]) -> Result<Position, UnpackError> {
        let setup = read(packed).ok_or(UnpackError::Malformed)?;
        let kept = Waivers::MISSING_KING
            | Waivers::BACK_RANK_PAWNS
            | Waivers::IMPOSSIBLE_CHECK
            | Waivers::MATERIAL;
        let position = setup.position_waiving(kept).map_err(UnpackError::Setup)?;
        if position.pack().as_ref() == Some(packed) {
            Ok(position)
        } else {
            Err(UnpackError::Malformed)
        }
    }
}

/// Returns the setup that the bytes describe, if they describe one.
fn read(packed: &[u8; 32]) -> Option<Setup> {
    let (occupied, rest) = packed.split_first_chunk::<8>()?;
    let (codes, rest) = rest.split_first_chunk::<16>()?;
    let (clock, rest) = rest.split_first_chunk::<4>()?;
    let (number, _) = rest.split_first_chunk::<4>()?;
    let occupied = Bitboard(u64::from_le_bytes(*occupied));
    let (clock, number) = (u32::from_le_bytes(*clock), u32::from_le_bytes(*number));
    if occupied.count() > 32 {
        return None;
    }
    let turn = Color::ALL[(clock >> 31) as usize];
    let mut board = Board::EMPTY;
    let (mut castling_rooks, mut en_passant) = (Bitboard::EMPTY, None);
    for (index, square) in occupied.into_iter().enumerate() {
        let code = codes[index / 2] >> (index % 2 * 4) & 15;
        let color = Color::ALL[usize::from(code & BLACK != 0)];
        let piece = match code & !BLACK {
            CASTLING_ROOK => {
                castling_rooks |= square;
                Role::Rook.of(color)
            }
            PASSING_PAWN if en_passant.is_none() && code == PASSING_PAWN => {
                en_passant = Some(Square::from_low_bits(square as u32 ^ 8));
                Role::Pawn.of(!turn)
            }
            PASSING_PAWN => return None,
            role => Piece {
                color,
                role: Role::from_low_bits(u32::from(role)),
            },
        };
        board.set(square, piece);
    }
    Some(Setup {
        board,
        turn,
        castling_rooks,
        en_passant,
        halfmove_clock: clock & !HIGHEST,
        fullmove_number: NonZeroU32::new(number & !HIGHEST)?,
        mode: match number & HIGHEST {
            0 => CastlingMode::Standard,
            _ => CastlingMode::Chess960,
        },
    })
}

/// Why bytes are not a packed position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum UnpackError {
    /// [`Position::pack`] never writes these bytes.
    Malformed,
    /// The position is impossible.
    Setup(SetupError),
}

impl fmt::Display for UnpackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnpackError::Malformed => f.write_str("these bytes are no packed position"),
            UnpackError::Setup(error) => error.fmt(f),
        }
    }
}

impl Error for UnpackError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            UnpackError::Malformed => None,
            UnpackError::Setup(error) => Some(error),
        }
    }
}
