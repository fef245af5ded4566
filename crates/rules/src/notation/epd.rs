//! EPD: the first four fields of a FEN, followed by operations such as `bm Nf3; id "test 1";`.

use alloc::string::String;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;
use core::num::NonZeroU32;
use core::str::FromStr;

use crate::text::clean;
use crate::{
    CastlingNotation, EnPassantMode, FenError, Move, Position, SanError, Setup, SetupError,
};

/// A position with operations, as in test suites and opening sets.
///
/// ```
/// use tabiya_rules::Epd;
///
/// let epd: Epd = "k7/8/1K6/8/8/8/8/7R w - - bm Rh8#; id \"mate in one\";".parse()?;
/// assert_eq!(epd.operand("id"), Some("mate in one"));
/// assert_eq!(epd.moves("bm")?.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epd {
    /// The position. Its counters come from `hmvc` and `fmvn`, if given.
    pub setup: Setup,
    /// The operations, in order.
    pub operations: Vec<EpdOperation>,
}

/// An operation: an opcode and its operands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EpdOperation {
    /// The name, such as `bm`.
    pub opcode: String,
    /// The operands, without their quotation marks.
    pub operands: Vec<String>,
}

/// Why a text is not EPD.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EpdError {
    /// The position is not valid FEN.
    Fen(FenError),
    /// An operation does not begin with a name of up to fifteen letters, digits and underscores.
    Opcode {
        /// The byte offset.
        byte: usize,
    },
    /// A quotation mark is not closed.
    Quotation {
        /// Its byte offset.
        byte: usize,
    },
    /// `hmvc` or `fmvn` without a number.
    Counter {
        /// The byte offset of the operation.
        byte: usize,
    },
}

impl fmt::Display for EpdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EpdError::Fen(error) => error.fmt(f),
            EpdError::Opcode { byte } => write!(
                f,
                "bad EPD, byte {}: expected an operation's name of at most 15 letters, digits and underscores",
                byte + 1
            ),
            EpdError::Quotation { byte } => {
                write!(f, "bad EPD, byte {}: the quotation never ends", byte + 1)
            }
            EpdError::Counter { byte } => {
                write!(
                    f,
                    "bad EPD, byte {}: expected one number below 2147483648",
                    byte + 1
                )
            }
        }
    }
}

impl Error for EpdError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            EpdError::Fen(error) => Some(error),
            EpdError::Opcode { .. } | EpdError::Quotation { .. } | EpdError::Counter { .. } => None,
        }
    }
}

impl From<FenError> for EpdError {
    fn from(error: FenError) -> EpdError {
        EpdError::Fen(error)
    }
}

impl Epd {
    /// Returns the position.
    ///
    /// # Errors
    /// Fails if the position is impossible; the error has all its faults.
    pub fn position(&self) -> Result<Position, SetupError> {
        self.setup.position()
    }

    /// Returns the operands of the first operation with this opcode.
    #[must_use]
    pub fn operands(&self, opcode: &str) -> Option<&[String]> {
        self.operations
            .iter()
            .find(|operation| operation.opcode == opcode)
            .map(|operation| operation.operands.as_slice())
    }

    /// Returns the first operand of the first operation with this opcode.
    #[must_use]
    pub fn operand(&self, opcode: &str) -> Option<&str> {
        self.operands(opcode)?.first().map(String::as_str)
    }

    /// Returns the operands of an operation such as `bm` or `am` as moves of the position; none if
    /// there is no such operation.
    ///
    /// # Errors
    /// Fails if an operand is not a legal move or the position is impossible.
    pub fn moves(&self, opcode: &str) -> Result<Vec<Move>, EpdMovesError> {
        let Some(operands) = self.operands(opcode) else {
            return Ok(Vec::new());
        };
        let position = self.position().map_err(EpdMovesError::Position)?;
        let read = |text: &String| {
            position
                .parse_san(text)
                .map_err(|error| EpdMovesError::Move {
                    operand: text.clone(),
                    error,
                })
        };
        operands.iter().map(read).collect()
    }
}

/// Why the operands of an operation are not moves of the position.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EpdMovesError {
    /// The position is impossible.
    Position(SetupError),
    /// An operand is not a legal move.
    Move {
        /// The operand.
        operand: String,
        /// Why it is not a legal move.
        error: SanError,
    },
}

impl fmt::Display for EpdMovesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EpdMovesError::Position(error) => error.fmt(f),
            EpdMovesError::Move { operand, error } => {
                write!(f, "{}: {error}", clean(operand))
            }
        }
    }
}

impl Error for EpdMovesError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            EpdMovesError::Position(error) => Some(error),
            EpdMovesError::Move { error, .. } => Some(error),
        }
    }
}

impl FromStr for Epd {
    type Err = EpdError;

    fn from_str(text: &str) -> Result<Epd, EpdError> {
        let (mut setup, mut at) = Setup::from_fen_prefix(text.as_bytes())?;
        let mut operations = Vec::new();
        loop {
            at += spaces(text, at);
            if at >= text.len() {
                return Ok(Epd { setup, operations });
            }
            let start = at;
            let operation = read_operation(text, &mut at)?;
            apply_counter(&mut setup, &operation, start)?;
            operations.push(operation);
        }
    }
}

/// Returns the number of spaces that follow, including lone semicolons.
fn spaces(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or("");
    rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n', ';']).len()
}

fn read_operation(text: &str, at: &mut usize) -> Result<EpdOperation, EpdError> {
    let start = *at;
    let opcode = token(text, at);
    let fits = opcode.starts_with(|c: char| c.is_ascii_alphabetic())
        && opcode.len() <= 15
        && opcode
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !fits {
        return Err(EpdError::Opcode { byte: start });
    }
    let mut operands = Vec::new();
    loop {
        let rest = text.get(*at..).unwrap_or("");
        let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
        *at += blank;
        let rest = text.get(*at..).unwrap_or("");
        if rest.is_empty() || rest.starts_with(';') {
            *at += usize::from(!rest.is_empty());
            return Ok(EpdOperation {
                opcode: opcode.into(),
                operands,
            });
        }
        if let Some(quoted) = rest.strip_prefix('"') {
            let Some(length) = quoted.find('"') else {
                return Err(EpdError::Quotation { byte: *at });
            };
            operands.push(quoted.get(..length).unwrap_or("").into());
            *at += length + 2;
        } else {
            operands.push(token(text, at).into());
        }
    }
}

/// Returns the characters up to the next space or semicolon.
fn token<'a>(text: &'a str, at: &mut usize) -> &'a str {
    let rest = text.get(*at..).unwrap_or("");
    let length = rest
        .find([' ', '\t', '\r', '\n', ';'])
        .unwrap_or(rest.len());
    *at += length;
    rest.get(..length).unwrap_or("")
}

fn apply_counter(setup: &mut Setup, operation: &EpdOperation, byte: usize) -> Result<(), EpdError> {
    let number = || match operation.operands.as_slice() {
        [digits] if digits.bytes().all(|byte| byte.is_ascii_digit()) => digits
            .parse()
            .ok()
            .filter(|&number: &u32| number <= super::fen::MAX_COUNTER),
        _ => None,
    };
    match operation.opcode.as_str() {
        "hmvc" => setup.halfmove_clock = number().ok_or(EpdError::Counter { byte })?,
        "fmvn" => {
            let number = number().ok_or(EpdError::Counter { byte })?;
            setup.fullmove_number = NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
        }
        _ => {}
    }
    Ok(())
}

impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fen = self
            .setup
            .fen_with(EnPassantMode::Always, CastlingNotation::ByMode);
        let fields = fen
            .rmatch_indices(' ')
            .nth(1)
            .map_or(fen.len(), |(at, _)| at);
        f.write_str(fen.get(..fields).unwrap_or(&fen))?;
        for operation in &self.operations {
            write!(f, " {}", operation.opcode)?;
            for operand in &operation.operands {
                if operand.is_empty() || operand.contains([' ', '\t', '\r', '\n', ';']) {
                    write!(f, " \"{operand}\"")?;
                } else {
                    write!(f, " {operand}")?;
                }
            }
            f.write_str(";")?;
        }
        Ok(())
    }
}
