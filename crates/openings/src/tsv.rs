//! Reads tables of openings from text. Any bytes give a table, or an error with a line number.

use core::error::Error;
use core::fmt;

use tabiya_rules::{Position, SanError, text};

use crate::{Eco, ParseEcoError};

/// A line of a user's table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Line {
    pub(crate) key: u64,
    pub(crate) eco: Eco,
    pub(crate) family: Box<str>,
    pub(crate) variation: Option<Box<str>>,
}

/// The most openings that a user's table may have.
pub const MAX_LINES: usize = 100_000;
/// The most bytes that the name of an opening in a user's table may have.
pub const MAX_NAME_BYTES: usize = 255;
/// The most plies that an opening in a user's table may have.
pub const MAX_PLIES: usize = 200;

/// Why a text is not a table of openings.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TableError {
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub kind: TableErrorKind,
}

/// What is wrong with a line of a table of openings.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TableErrorKind {
    /// The line is not UTF-8.
    NotUtf8,
    /// The line does not have the three columns.
    Columns {
        /// How many it has.
        found: usize,
    },
    /// The first column is not an ECO code.
    Eco(ParseEcoError),
    /// The name is empty, or longer than [`MAX_NAME_BYTES`].
    NameLength {
        /// How many bytes it has.
        found: usize,
    },
    /// The name has a character that could control a terminal.
    NameCharacter {
        /// The character.
        found: char,
    },
    /// A move is not legal, or not a move.
    Move {
        /// Its ply, from 1.
        ply: usize,
        /// The move, safe to show.
        text: String,
        /// Why it cannot be played.
        error: SanError,
    },
    /// The line has no moves.
    NoMoves,
    /// The line has more moves than [`MAX_PLIES`].
    TooManyPlies,
    /// The table has more lines than [`MAX_LINES`].
    TooManyLines,
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.kind)
    }
}

impl fmt::Display for TableErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableErrorKind::NotUtf8 => f.write_str("the text is not UTF-8"),
            TableErrorKind::Columns { found } => write!(
                f,
                "expected an ECO code, a name and moves with tabs between them, found {found} column{}",
                if *found == 1 { "" } else { "s" }
            ),
            TableErrorKind::Eco(error) => error.fmt(f),
            TableErrorKind::NameLength { found: 0 } => f.write_str("the name is empty"),
            TableErrorKind::NameLength { found } => write!(
                f,
                "the name has {found} bytes, and {MAX_NAME_BYTES} are the most"
            ),
            TableErrorKind::NameCharacter { found } => write!(
                f,
                "the name has the character {}, which cannot be shown",
                found.escape_unicode()
            ),
            TableErrorKind::Move { ply, text, error } => {
                write!(f, "move {ply}, {text}, cannot be played: {error}")
            }
            TableErrorKind::NoMoves => f.write_str("there is no move"),
            TableErrorKind::TooManyPlies => {
                write!(f, "there are more than {MAX_PLIES} moves")
            }
            TableErrorKind::TooManyLines => {
                write!(f, "there are more than {MAX_LINES} openings")
            }
        }
    }
}

impl Error for TableError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.kind {
            TableErrorKind::Eco(error) => Some(error),
            TableErrorKind::Move { error, .. } => Some(error),
            TableErrorKind::NotUtf8
            | TableErrorKind::Columns { .. }
            | TableErrorKind::NameLength { .. }
            | TableErrorKind::NameCharacter { .. }
            | TableErrorKind::NoMoves
            | TableErrorKind::TooManyPlies
            | TableErrorKind::TooManyLines => None,
        }
    }
}

/// Reads the openings of a table, the last line first.
pub(crate) fn read(tsv: &[u8]) -> Result<Vec<Line>, TableError> {
    let mut lines = Vec::new();
    let tsv = tsv.strip_prefix(b"\xef\xbb\xbf").unwrap_or(tsv);
    let mut is_first = true;
    for (number, line) in tsv.split(|&byte| byte == b'\n').enumerate() {
        let at = |kind| TableError {
            line: number + 1,
            kind,
        };
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.iter().all(u8::is_ascii_whitespace) || line.starts_with(b"#") {
            continue;
        }
        let line = core::str::from_utf8(line).map_err(|_| at(TableErrorKind::NotUtf8))?;
        let is_heading = is_first && is_heading(line);
        is_first = false;
        if is_heading {
            continue;
        }
        if lines.len() == MAX_LINES {
            return Err(at(TableErrorKind::TooManyLines));
        }
        lines.push(opening(line).map_err(at)?);
    }
    lines.reverse();
    Ok(lines)
}

/// Whether the first line names the columns.
fn is_heading(line: &str) -> bool {
    let first = line.split('\t').next().unwrap_or_default();
    first.trim().eq_ignore_ascii_case("eco")
}

fn opening(line: &str) -> Result<Line, TableErrorKind> {
    let mut columns = line.split('\t');
    let (Some(eco), Some(name), Some(moves)) = (columns.next(), columns.next(), columns.next())
    else {
        let found = line.split('\t').count();
        return Err(TableErrorKind::Columns { found });
    };
    let eco = eco.trim().parse().map_err(TableErrorKind::Eco)?;
    let (family, variation) = names(name.trim())?;
    let key = key(moves)?;
    Ok(Line {
        key,
        eco,
        family: family.into(),
        variation: variation.map(Box::from),
    })
}

/// Splits a name into family and variation.
fn names(name: &str) -> Result<(&str, Option<&str>), TableErrorKind> {
    if let Some(found) = name.chars().find(|&c| !text::is_safe(c)) {
        return Err(TableErrorKind::NameCharacter { found });
    }
    let (family, variation) = match name.split_once(':') {
        Some((family, variation)) => (family.trim_end(), Some(variation.trim_start())),
        None => (name, None),
    };
    if family.is_empty() || name.len() > MAX_NAME_BYTES {
        let found = if family.is_empty() { 0 } else { name.len() };
        return Err(TableErrorKind::NameLength { found });
    }
    Ok((family, variation.filter(|name| !name.is_empty())))
}

/// The key of the position after moves from the start, with or without move numbers.
fn key(moves: &str) -> Result<u64, TableErrorKind> {
    let mut position = Position::start();
    let mut ply = 0;
    for word in moves.split_ascii_whitespace() {
        let text = without_number(word);
        if text.is_empty() {
            continue;
        }
        if ply == MAX_PLIES {
            return Err(TableErrorKind::TooManyPlies);
        }
        ply += 1;
        match position.parse_san(text) {
            Ok(m) => position = position.play_unchecked(m),
            Err(error) => {
                let text = text::excerpt(text);
                return Err(TableErrorKind::Move { ply, text, error });
            }
        }
    }
    if ply == 0 {
        return Err(TableErrorKind::NoMoves);
    }
    Ok(position.key())
}

/// A word without a move number at its beginning, as in `1.e4`, `1.` and `1...e5`.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() < word.len() && rest.starts_with('.') {
        rest.trim_start_matches('.')
    } else {
        word
    }
}
