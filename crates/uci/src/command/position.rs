//! `position`: a start and all moves since then, as text and played.

use std::error::Error;
use std::fmt;

use tabiya_rules::{CastlingMode, MoveHistory, ParseFenError, Position, UciError, UciMove};

use super::UciCommandError;
use crate::text::{OneLine, joined, words};

/// What follows the word `position`: a text that may or may not be a game.
///
/// ```
/// use tabiya_rules::MoveHistory;
/// use tabiya_uci::PositionCommand;
///
/// let mut game = MoveHistory::default();
/// game.push_san("e4")?;
/// assert_eq!(PositionCommand::from(&game).to_string(), "position startpos moves e2e4");
/// # Ok::<(), tabiya_rules::SanError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionCommand {
    /// Where the game started.
    pub start: Start,
    /// The moves since.
    pub moves: Vec<UciMove>,
}

/// Where a game started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// The standard start position.
    Standard,
    /// The position of a FEN, which has not been parsed.
    Fen(String),
}

impl PositionCommand {
    pub(crate) fn parse(rest: &str) -> Result<PositionCommand, UciCommandError> {
        let mut words = words(rest).peekable();
        let start = match words.next() {
            Some("startpos") => Start::Standard,
            Some("fen") => {
                let mut fields = Vec::new();
                while let Some(field) = words.next_if(|&word| word != "moves") {
                    fields.push(field);
                }
                if fields.is_empty() {
                    return Err(UciCommandError::Start);
                }
                Start::Fen(joined(fields))
            }
            _ => return Err(UciCommandError::Start),
        };
        match words.next() {
            None | Some("moves") => {}
            // Skipping the word would mean a different position from the GUI's.
            Some(word) => {
                return Err(UciCommandError::Moves {
                    word: word.to_owned(),
                });
            }
        }
        let moves = words.enumerate().map(|(i, word)| {
            word.parse().map_err(|_| UciCommandError::Move {
                number: i + 1,
                word: word.to_owned(),
            })
        });
        Ok(PositionCommand {
            start,
            moves: moves.collect::<Result<_, _>>()?,
        })
    }

    /// Plays the moves. The mode says how castling is written later; a start that standard chess cannot express stays
    /// in Chess960.
    ///
    /// # Errors
    /// Fails if the FEN is not a valid position or a move is not legal.
    pub fn play(&self, mode: CastlingMode) -> Result<MoveHistory, PositionError> {
        let start = match &self.start {
            Start::Standard => Position::start(),
            Start::Fen(fen) => Position::from_fen(fen).map_err(PositionError::Fen)?,
        };
        let mut game = MoveHistory::new(start.with_castling_mode(mode));
        for (i, &m) in self.moves.iter().enumerate() {
            let error = |reason| PositionError::Move {
                number: i + 1,
                text: m,
                reason,
            };
            let m = game.current().resolve_uci(m).map_err(error)?;
            // The move was found in this position, so it is never refused.
            let pushed = game.push(m);
            debug_assert!(pushed.is_ok());
        }
        Ok(game)
    }
}

impl fmt::Display for PositionCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.start {
            Start::Standard => f.write_str("position startpos")?,
            Start::Fen(fen) => write!(f, "position fen {}", OneLine(fen))?,
        }
        if !self.moves.is_empty() {
            f.write_str(" moves")?;
            for m in &self.moves {
                write!(f, " {m}")?;
            }
        }
        Ok(())
    }
}

impl From<&MoveHistory> for PositionCommand {
    /// Creates the command that sends a game to an engine, with all moves.
    ///
    /// ```
    /// use tabiya_rules::MoveHistory;
    /// use tabiya_uci::PositionCommand;
    ///
    /// let mut game = MoveHistory::default();
    /// game.push_san("e4")?;
    /// assert_eq!(PositionCommand::from(&game).to_string(), "position startpos moves e2e4");
    /// # Ok::<(), tabiya_rules::SanError>(())
    /// ```
    fn from(game: &MoveHistory) -> PositionCommand {
        let start = if game.start().setup() == Position::start().setup() {
            Start::Standard
        } else {
            Start::Fen(game.start().fen())
        };
        let moves = game.positions().zip(game.moves());
        PositionCommand {
            start,
            moves: moves.map(|(position, &m)| position.uci(m)).collect(),
        }
    }
}

/// Why a `position` command is not valid.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PositionError {
    /// The FEN is not a valid position.
    Fen(ParseFenError),
    /// A move is not legal.
    Move {
        /// Its index, counted from 1.
        number: usize,
        /// The move.
        text: UciMove,
        /// Why it is not legal.
        reason: UciError,
    },
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionError::Fen(error) => error.fmt(f),
            PositionError::Move {
                number,
                text,
                reason,
            } => write!(f, "move {number}, {text}, is not legal: {reason}"),
        }
    }
}

impl Error for PositionError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            PositionError::Fen(error) => Some(error),
            PositionError::Move { reason, .. } => Some(reason),
        }
    }
}
