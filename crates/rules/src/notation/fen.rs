//! FEN, including the castling fields of X-FEN and Shredder-FEN, with or without the two counters.
//!
//! Programs differ in what they accept. This table decides:
//!
//! | text | reading |
//! | --- | --- |
//! | runs of spaces, tabs or line ends between and around the fields | accepted |
//! | other separators, fields glued together, more than six fields | refused |
//! | four or five fields | a missing half-move clock is 0, a missing move number 1 |
//! | fewer than four fields | refused |
//! | two digits in a row, a digit 0 or 9, signs, upper-case side to move | refused |
//! | counters up to 2,147,483,647, with leading zeros | accepted; move number 0 is read as 1 |
//! | castling letters in any order | accepted |
//! | a castling right given twice, also as `KH` with the rook on the h-file | refused |
//! | `K` or `Q` with a rook that is not in its corner, or a king that is not on the e-file | Chess960, the outermost rook |
//! | files of rooks (Shredder-FEN), also where `KQkq` would do | Chess960 |
//! | a half-move clock above 100 or 150, or above what the move number allows | accepted: the position may come from a study |
//! | the operations of an EPD in the place of the counters | refused; [`Epd`](crate::Epd) reads them |
//!
//! What is well formed but impossible on a board is read into a [`Setup`](crate::Setup), and becomes a
//! [`Position`](crate::Position) only if its fault is [waived](crate::Waivers):
//!
//! | setup | position |
//! | --- | --- |
//! | a castling right without a king and a rook to castle with | refused unless waived |
//! | an en passant square that no pawn can have just passed: no pawn in front of it, a piece on it or behind it, the wrong rank | refused unless waived |
//! | a check that no move can have given: three checkers, two that do not slide, one that the en passant square rules out | refused unless waived |
//! | nine pawns, seventeen pieces, more of a kind than promotions can explain | refused unless waived |
//! | more pieces than a move list has room for | refused, always |

mod reader;
mod writer;

use alloc::string::String;
use core::error::Error;
use core::fmt;
use core::str::FromStr;

use crate::{Board, Position, Role, Setup, SetupError, Square, Waivers};
use reader::Reader;
use writer::Writer;

pub(super) use reader::MAX_COUNTER;

/// A field of a FEN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum FenField {
    /// Where the pieces stand.
    Placement,
    /// The side to move.
    Turn,
    /// The castling rights.
    Castling,
    /// The en passant square.
    EnPassant,
    /// The half-move clock: plies since the last capture or pawn move.
    HalfmoveClock,
    /// The move number.
    FullmoveNumber,
    /// Anything after the six fields.
    Rest,
}

impl FenField {
    /// Returns the number and the name of the field.
    const fn title(self) -> &'static str {
        match self {
            FenField::Placement => "field 1 (placement)",
            FenField::Turn => "field 2 (side to move)",
            FenField::Castling => "field 3 (castling)",
            FenField::EnPassant => "field 4 (en passant)",
            FenField::HalfmoveClock => "field 5 (half-move clock)",
            FenField::FullmoveNumber => "field 6 (move number)",
            FenField::Rest => "after field 6",
        }
    }
}

/// What was expected at the place of an error.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum FenExpected {
    /// A piece letter, a digit or a slash.
    PieceOrGap,
    /// Eight squares on the rank, no more and no fewer.
    EightSquares,
    /// Eight ranks, no more and no fewer.
    EightRanks,
    /// `w` or `b`.
    Turn,
    /// `-`, or letters of `KQkq` or rook files, each once.
    CastlingLetter,
    /// `-`, or a square on the third or sixth rank.
    EnPassantSquare,
    /// A number below 2³¹.
    Number,
    /// The end of the text.
    End,
}

impl fmt::Display for FenExpected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            FenExpected::PieceOrGap => {
                "a piece letter (PNBRQK or pnbrqk), a single digit from 1 to 8, or '/'"
            }
            FenExpected::EightSquares => "exactly eight squares on each rank",
            FenExpected::EightRanks => "exactly eight ranks separated by '/'",
            FenExpected::Turn => "'w' or 'b'",
            FenExpected::CastlingLetter => {
                "'-', or letters of KQkq or rook files (A-H, a-h), each right once"
            }
            FenExpected::EnPassantSquare => "'-', or a square on the third or sixth rank",
            FenExpected::Number => "a number from 0 to 2147483647 in digits",
            FenExpected::End => "nothing more",
        })
    }
}

/// The text is not FEN. The error names the field, the byte, and what was expected there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FenError {
    /// The field that is wrong.
    pub field: FenField,
    /// The byte offset, counted from 0.
    pub byte: usize,
    /// What was expected there.
    pub expected: FenExpected,
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FenError {
            field,
            byte,
            expected,
        } = self;
        let (title, byte) = (field.title(), byte + 1);
        write!(f, "bad FEN, {title}, byte {byte}: expected {expected}")
    }
}

impl Error for FenError {}

/// Why a text is not a position: it is not FEN, or it describes an impossible position.
///
/// ```
/// use tabiya_rules::{ParseFenError, Position};
///
/// assert!(matches!(Position::from_fen("8/8 w - -"), Err(ParseFenError::Fen(_))));
/// assert!(matches!(Position::from_fen("8/8/8/8/8/8/8/8 w - -"), Err(ParseFenError::Setup(_))));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ParseFenError {
    /// The text is not FEN.
    Fen(FenError),
    /// The text is FEN, but the position is impossible.
    Setup(SetupError),
}

impl fmt::Display for ParseFenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseFenError::Fen(error) => error.fmt(f),
            ParseFenError::Setup(error) => error.fmt(f),
        }
    }
}

impl Error for ParseFenError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            ParseFenError::Fen(error) => Some(error),
            ParseFenError::Setup(error) => Some(error),
        }
    }
}

impl From<FenError> for ParseFenError {
    fn from(error: FenError) -> Self {
        ParseFenError::Fen(error)
    }
}

impl From<SetupError> for ParseFenError {
    fn from(error: SetupError) -> Self {
        ParseFenError::Setup(error)
    }
}

/// When a FEN includes the en passant square.
///
/// ```
/// use tabiya_rules::{CastlingNotation, EnPassantMode, Position};
///
/// let start = Position::start();
/// let position = start.play(start.parse_san("e4")?)?;
/// assert_eq!(position.fen().split(' ').nth(3), Some("-"));
/// let fen = position.fen_with(EnPassantMode::Always, CastlingNotation::ByMode);
/// assert_eq!(fen.split(' ').nth(3), Some("e3"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum EnPassantMode {
    /// Only if a legal move captures there.
    #[default]
    Legal,
    /// If an enemy pawn is next to the pawn that moved, even a pinned one.
    PseudoLegal,
    /// After every two-square pawn move.
    Always,
}

/// How a FEN writes castling rights.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum CastlingNotation {
    /// `KQkq` in standard chess, the rooks' files in Chess960.
    #[default]
    ByMode,
    /// X-FEN: `KQkq` for the outermost rooks, files for others.
    XFen,
    /// Shredder-FEN: the rooks' files, `HAha`.
    Shredder,
}

impl Setup {
    /// Reads a FEN. [`Setup::position`] then checks whether the position is possible.
    ///
    /// # Errors
    /// Fails if the text is not FEN; the error names the field, the byte, and what was expected.
    pub fn from_fen(text: &str) -> Result<Setup, FenError> {
        Setup::from_fen_bytes(text.as_bytes())
    }

    /// Reads a FEN from bytes.
    ///
    /// # Errors
    /// Same as [`Setup::from_fen`].
    pub fn from_fen_bytes(text: &[u8]) -> Result<Setup, FenError> {
        let mut reader = Reader::new(text);
        reader.six_fields()?;
        reader.end()?;
        Ok(reader.setup)
    }

    /// Reads the first four fields of a text, and returns where they end. The counters of an EPD are operations.
    pub(crate) fn from_fen_prefix(text: &[u8]) -> Result<(Setup, usize), FenError> {
        let mut reader = Reader::new(text);
        reader.four_fields()?;
        Ok((reader.setup, reader.at()))
    }

    /// Returns the FEN in the chosen notation.
    #[must_use]
    pub fn fen_with(&self, en_passant: EnPassantMode, castling: CastlingNotation) -> String {
        let named = self
            .en_passant
            .filter(|&square| self.names_en_passant(en_passant, square));
        String::from(Writer::fen(self, named, castling).text())
    }

    fn names_en_passant(&self, mode: EnPassantMode, square: Square) -> bool {
        match mode {
            EnPassantMode::Always => true,
            EnPassantMode::PseudoLegal => {
                let captors = crate::attacks::pawn(!self.turn, square);
                !(self.board.pieces(self.turn, Role::Pawn) & captors).is_empty()
            }
            EnPassantMode::Legal => self
                .position_waiving(Waivers::ALL)
                .is_ok_and(|position| position.legal_en_passant() == Some(square)),
        }
    }
}

impl fmt::Display for Setup {
    /// Writes the FEN with any en passant square that is set, so that reading it returns the same setup.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.fen_with(EnPassantMode::Always, CastlingNotation::ByMode))
    }
}

impl FromStr for Setup {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Setup, FenError> {
        Setup::from_fen(text)
    }
}

impl Position {
    /// Reads the FEN of a possible position.
    ///
    /// # Errors
    /// Fails if the text is not FEN, or if the position it describes is impossible.
    ///
    /// ```
    /// use tabiya_rules::Position;
    ///
    /// let position = Position::from_fen("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1")?;
    /// assert_eq!(position.fen(), "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1");
    ///
    /// let error = Position::from_fen("8/8/4k3/8/8/4K3/4P4/8 w - - 0 1").unwrap_err();
    /// assert!(error.to_string().starts_with("bad FEN, field 1 (placement), byte 19"));
    /// # Ok::<(), tabiya_rules::ParseFenError>(())
    /// ```
    #[doc(alias = "set_fen")]
    #[doc(alias = "parse_fen")]
    pub fn from_fen(text: &str) -> Result<Position, ParseFenError> {
        Position::from_fen_bytes(text.as_bytes())
    }

    /// Reads the FEN of a possible position from bytes.
    ///
    /// # Errors
    /// Same as [`Position::from_fen`].
    pub fn from_fen_bytes(text: &[u8]) -> Result<Position, ParseFenError> {
        let mut reader = Reader::new(text);
        reader.six_fields()?;
        reader.end()?;
        Ok(reader.setup.validated(Waivers::NONE, reader.piece_key)?)
    }

    /// Returns the FEN, with an en passant square only if a legal move captures there.
    #[must_use]
    pub fn fen(&self) -> String {
        String::from(self.fen_writer().text())
    }

    /// Returns the FEN in the chosen notation.
    #[must_use]
    pub fn fen_with(&self, en_passant: EnPassantMode, castling: CastlingNotation) -> String {
        let setup = self.setup();
        match en_passant {
            // Already known, so there is no need to look for a capture.
            EnPassantMode::Legal => {
                let named = self.legal_en_passant();
                String::from(Writer::fen(&setup, named, castling).text())
            }
            mode => setup.fen_with(mode, castling),
        }
    }

    fn fen_writer(&self) -> Writer {
        Writer::fen(
            &self.setup(),
            self.legal_en_passant(),
            CastlingNotation::ByMode,
        )
    }
}

impl FromStr for Position {
    type Err = ParseFenError;

    fn from_str(text: &str) -> Result<Position, ParseFenError> {
        Position::from_fen(text)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.fen_writer().text())
    }
}

impl Board {
    /// Reads a placement, the first field of a FEN.
    ///
    /// # Errors
    /// Fails at the first wrong byte; the error says what was expected.
    ///
    /// ```
    /// use tabiya_rules::{Board, Position};
    ///
    /// let board = Board::from_ascii(b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR")?;
    /// assert_eq!(board, *Position::start().board());
    /// # Ok::<(), tabiya_rules::FenError>(())
    /// ```
    #[doc(alias = "fen")]
    pub fn from_ascii(placement: &[u8]) -> Result<Board, FenError> {
        let mut reader = Reader::new(placement);
        reader.placement()?;
        reader.end()?;
        Ok(reader.setup.board)
    }
}

impl FromStr for Board {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Board, FenError> {
        Board::from_ascii(text.as_bytes())
    }
}

impl fmt::Display for Board {
    /// Writes the placement field of a FEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut writer = Writer::new();
        writer.placement(self);
        f.pad(writer.text())
    }
}
