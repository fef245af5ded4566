//! `position`: a start and all moves since, raw and played out.

use std::error::Error;
use std::fmt;

use tabiya_rules::{CastlingMode, Move, ParseFenError, Position, UciError, UciMove};

use super::CommandError;
use crate::text::{OneLine, joined, words};

/// What follows the word `position`: a text that may or may not be a game.
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
    /// The usual position.
    Standard,
    /// The position of a FEN, which was not looked at yet.
    Fen(String),
}

impl PositionCommand {
    pub(crate) fn parse(rest: &str) -> Result<PositionCommand, CommandError> {
        let mut words = words(rest).peekable();
        let start = match words.next() {
            Some("startpos") => Start::Standard,
            Some("fen") => {
                let mut fields = Vec::new();
                while let Some(field) = words.next_if(|&word| word != "moves") {
                    fields.push(field);
                }
                if fields.is_empty() {
                    return Err(CommandError::Start);
                }
                Start::Fen(joined(fields))
            }
            _ => return Err(CommandError::Start),
        };
        match words.next() {
            None | Some("moves") => {}
            // Skipping the word would mean another position than the interface's.
            Some(word) => {
                return Err(CommandError::Moves {
                    word: word.to_owned(),
                });
            }
        }
        let moves = words.enumerate().map(|(i, word)| {
            word.parse().map_err(|_| CommandError::Move {
                number: i + 1,
                word: word.to_owned(),
            })
        });
        Ok(PositionCommand {
            start,
            moves: moves.collect::<Result<_, _>>()?,
        })
    }

    /// Plays the moves. The mode says how castles are written later; a start that standard chess cannot express stays
    /// in Chess960.
    ///
    /// # Errors
    /// The FEN is no position, or a move is not legal.
    pub fn play(&self, mode: CastlingMode) -> Result<Played, PositionError> {
        let start = match &self.start {
            Start::Standard => Position::start(),
            Start::Fen(fen) => Position::from_fen(fen).map_err(PositionError::Fen)?,
        };
        let mut played = Played::new(start.with_castling_mode(mode));
        for (i, &m) in self.moves.iter().enumerate() {
            let error = |reason| PositionError::Move {
                number: i + 1,
                text: m,
                reason,
            };
            played.push(played.current.resolve_uci(m).map_err(error)?);
        }
        Ok(played)
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

/// A start and the legal moves played from it: what an engine needs to know about repetitions and the half-move clock.
///
/// ```
/// use tabiya_rules::Position;
/// use tabiya_uci::Played;
///
/// let mut played = Played::new(Position::start());
/// played.push(played.current().parse_san("e4")?);
/// assert_eq!(played.command().to_string(), "position startpos moves e2e4");
/// # Ok::<(), tabiya_rules::SanError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    start: Position,
    moves: Vec<Move>,
    current: Position,
}

impl Played {
    /// A game without moves.
    #[must_use]
    pub fn new(start: Position) -> Played {
        Played {
            start,
            moves: Vec::new(),
            current: start,
        }
    }

    /// Adds a legal move of the current position. One that is not legal is left out.
    pub fn push(&mut self, m: Move) {
        if let Ok(next) = self.current.play(m) {
            self.current = next;
            self.moves.push(m);
        }
    }

    /// Where it started.
    #[must_use]
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The moves since.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Where it is now.
    #[must_use]
    pub fn current(&self) -> &Position {
        &self.current
    }

    /// All positions, from the start to the current one.
    pub fn positions(&self) -> impl Iterator<Item = Position> + '_ {
        let mut position = self.start;
        std::iter::once(self.start).chain(self.moves.iter().map(move |&m| {
            position = position.play_unchecked(m);
            position
        }))
    }

    /// The command that tells it to an engine, with all moves.
    #[must_use]
    pub fn command(&self) -> PositionCommand {
        let standard = Position::start();
        let start = if self.start.setup() == standard.setup() {
            Start::Standard
        } else {
            Start::Fen(self.start.fen())
        };
        let moves = self.positions().zip(&self.moves);
        PositionCommand {
            start,
            moves: moves.map(|(position, &m)| position.uci(m)).collect(),
        }
    }
}

impl Default for Played {
    /// The usual start.
    fn default() -> Played {
        Played::new(Position::start())
    }
}

/// Why a `position` is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PositionError {
    /// The FEN says no position.
    Fen(ParseFenError),
    /// A move is not legal.
    Move {
        /// Its place, counted from 1.
        number: usize,
        /// The move.
        text: UciMove,
        /// Why not.
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

impl Error for PositionError {}
