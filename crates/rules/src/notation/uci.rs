//! Moves in UCI notation: two squares and, for a promotion, a letter.

use core::error::Error;
use core::fmt;
use core::str::FromStr;

use crate::short_text::ShortText;
use crate::{CastlingMode, IllegalMove, Move, Position, Role, Square};

/// A move in UCI notation, which does not say which piece moves.
///
/// ```
/// use tabiya_rules::{Role, Square, UciMove};
///
/// let promotion: UciMove = "e7e8q".parse()?;
/// assert_eq!(promotion, UciMove::Normal {
///     from: Square::E7,
///     to: Square::E8,
///     promotion: Some(Role::Queen),
/// });
/// assert_eq!(promotion.to_string(), "e7e8q");
/// # Ok::<(), tabiya_rules::ParseUciError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UciMove {
    /// From one square to another.
    Normal {
        /// The square to move from.
        from: Square,
        /// The square to move to.
        to: Square,
        /// The role a pawn promotes to.
        promotion: Option<Role>,
    },
    /// `0000`, the null move.
    Null,
}

impl UciMove {
    /// The text of the null move.
    pub const NULL_TEXT: &'static str = "0000";

    /// Reads the text of a move: exactly four or five bytes, all in lower case.
    ///
    /// # Errors
    /// Fails if the text is not a UCI move.
    pub fn from_ascii(text: &[u8]) -> Result<UciMove, ParseUciError> {
        if text == UciMove::NULL_TEXT.as_bytes() {
            return Ok(UciMove::Null);
        }
        let (squares, promotion) = match *text {
            [a, b, c, d] => ([a, b, c, d], None),
            [a, b, c, d, role] => {
                let role = match role {
                    b'q' => Role::Queen,
                    b'r' => Role::Rook,
                    b'b' => Role::Bishop,
                    b'n' => Role::Knight,
                    _ => return Err(ParseUciError),
                };
                ([a, b, c, d], Some(role))
            }
            _ => return Err(ParseUciError),
        };
        let [a, b, c, d] = squares;
        match (Square::from_ascii(a, b), Square::from_ascii(c, d)) {
            (Some(from), Some(to)) => Ok(UciMove::Normal {
                from,
                to,
                promotion,
            }),
            _ => Err(ParseUciError),
        }
    }
}

impl FromStr for UciMove {
    type Err = ParseUciError;

    fn from_str(text: &str) -> Result<UciMove, ParseUciError> {
        UciMove::from_ascii(text.as_bytes())
    }
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = ShortText::<5>::new();
        match *self {
            UciMove::Null => text.push_all(UciMove::NULL_TEXT),
            UciMove::Normal {
                from,
                to,
                promotion,
            } => {
                for square in [from, to] {
                    text.push(square.file().char() as u8);
                    text.push(square.rank().char() as u8);
                }
                if let Some(role) = promotion {
                    text.push(role.char() as u8);
                }
            }
        }
        text.fmt(f)
    }
}

/// The error returned when a text is not a move in UCI notation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ParseUciError;

impl fmt::Display for ParseUciError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a move in coordinates: expected two squares and perhaps a promotion, such as e2e4 or e7e8q")
    }
}

impl Error for ParseUciError {}

/// Why a UCI text is not a move of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum UciError {
    /// The text is not a UCI move.
    Syntax(ParseUciError),
    /// The null move, which is never legal.
    NullMove,
    /// The move is not legal, for this reason.
    Illegal(IllegalMove),
}

impl fmt::Display for UciError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UciError::Syntax(error) => error.fmt(f),
            UciError::NullMove => f.write_str("the null move is never legal"),
            UciError::Illegal(reason) => reason.fmt(f),
        }
    }
}

impl Error for UciError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            UciError::Syntax(error) => Some(error),
            UciError::NullMove => None,
            UciError::Illegal(reason) => Some(reason),
        }
    }
}

impl Position {
    /// Returns a legal move in UCI notation. Castling follows the position's mode: `e1g1` in
    /// standard chess, `e1h1` in Chess960.
    #[must_use]
    pub fn uci(&self, m: Move) -> UciMove {
        let to = match self.mode {
            CastlingMode::Standard => m.destination(),
            CastlingMode::Chess960 => m.to(),
        };
        UciMove::Normal {
            from: m.from(),
            to,
            promotion: m.promotion(),
        }
    }

    /// Returns the legal move that a UCI text describes. Castling is accepted in both forms.
    ///
    /// # Errors
    /// Fails if the text is not a UCI move or the move is not legal; the error says why.
    ///
    /// ```
    /// use tabiya_rules::Position;
    ///
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")?;
    /// assert_eq!(position.parse_uci("e1g1")?, position.parse_uci("e1h1")?);
    /// assert_eq!(position.parse_uci("e1e3").unwrap_err().to_string(),
    ///     "A King cannot move from e1 to e3.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_uci(&self, text: &str) -> Result<Move, UciError> {
        let uci = UciMove::from_ascii(text.as_bytes()).map_err(UciError::Syntax)?;
        self.resolve_uci(uci)
    }

    /// Returns the legal move that a UCI move describes.
    ///
    /// # Errors
    /// Fails if the move is not legal; the error says why.
    pub fn resolve_uci(&self, uci: UciMove) -> Result<Move, UciError> {
        match uci {
            UciMove::Null => Err(UciError::NullMove),
            UciMove::Normal {
                from,
                to,
                promotion,
            } => self
                .find_move(from, to, promotion)
                .map_err(UciError::Illegal),
        }
    }
}
