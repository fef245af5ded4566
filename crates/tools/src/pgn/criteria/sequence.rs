//! Sequences of moves with gaps: `e4 c5 ... Nxd4 ... O-O-O`.

use std::str::FromStr;

use tabiya_front::position::without_number;
use tabiya_rules::{Move, Position, SanError};
use thiserror::Error;

/// The greatest number of moves and gaps.
const MAX_SEQUENCE_LENGTH: usize = 60;

/// A sequence of moves from the start of the game, with gaps.
///
/// `...` is any number of moves, including none; `?` is any one move; `!Nf3` any move but that; `e4|d4` either. Move
/// numbers are ignored. The game may continue afterwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sequence {
    steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Gap,
    Any,
    OneOf(Vec<String>),
    NoneOf(Vec<String>),
}

/// The text is not a sequence of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum SequenceError {
    #[error("there is no move")]
    NoMove,
    #[error("there are more than {MAX_SEQUENCE_LENGTH} moves")]
    TooLong,
    #[error("a move is written like Nf3, exd5, e2e4 or O-O")]
    Move,
}

impl FromStr for Sequence {
    type Err = SequenceError;

    fn from_str(text: &str) -> Result<Sequence, SequenceError> {
        let mut steps = Vec::new();
        for word in text.split_whitespace() {
            let step = match word {
                "..." | "…" | "*" => Step::Gap,
                "?" => Step::Any,
                _ => match without_number(word) {
                    "" => continue,
                    word => match word.strip_prefix('!') {
                        Some(word) => Step::NoneOf(moves(word)?),
                        None => Step::OneOf(moves(word)?),
                    },
                },
            };
            steps.push(step);
        }
        match steps.len() {
            0 => Err(SequenceError::NoMove),
            1..=MAX_SEQUENCE_LENGTH => Ok(Sequence { steps }),
            _ => Err(SequenceError::TooLong),
        }
    }
}

/// Parses the moves of a step, of which one is enough.
fn moves(word: &str) -> Result<Vec<String>, SequenceError> {
    // Whether a move is legal depends on the position, but a text that no position accepts is a typing error.
    let is_move = |text: &str| {
        (2..=10).contains(&text.len())
            && !matches!(Position::start().parse_san(text), Err(SanError::Syntax))
    };
    let moves = word.split('|').map(|text| match is_move(text) {
        true => Ok(text.to_owned()),
        false => Err(SequenceError::Move),
    });
    moves.collect()
}

/// The progress of a game: the steps that may be next, as bits. The bit after the last says that all were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reached(u64);

impl Sequence {
    /// Before the first move.
    pub(crate) fn begin(&self) -> Reached {
        self.through_gaps(Reached(1))
    }

    /// The progress after another move.
    pub(crate) fn after(
        &self,
        reached: Reached,
        before: &Position,
        played: Option<Move>,
    ) -> Reached {
        if self.is_found(reached) {
            return reached;
        }
        let mut next = 0;
        for (at, step) in self.steps.iter().enumerate() {
            if reached.0 & (1 << at) == 0 {
                continue;
            }
            let is_one = |texts: &[String]| texts.iter().any(|text| is_move(before, text, played));
            match step {
                Step::Gap => next |= 1 << at,
                Step::Any => next |= 1 << (at + 1),
                Step::OneOf(texts) if is_one(texts) => next |= 1 << (at + 1),
                Step::NoneOf(texts) if !is_one(texts) => next |= 1 << (at + 1),
                Step::OneOf(_) | Step::NoneOf(_) => {}
            }
        }
        self.through_gaps(Reached(next))
    }

    /// Whether all steps were found.
    pub(crate) fn is_found(&self, reached: Reached) -> bool {
        reached.0 & (1 << self.steps.len()) != 0
    }

    /// Adds the steps that may come next because a gap may be empty.
    fn through_gaps(&self, mut reached: Reached) -> Reached {
        for (at, step) in self.steps.iter().enumerate() {
            if *step == Step::Gap && reached.0 & (1 << at) != 0 {
                reached.0 |= 1 << (at + 1);
            }
        }
        reached
    }
}

/// Whether the move that was played may be written like this.
fn is_move(before: &Position, text: &str, played: Option<Move>) -> bool {
    let Some(played) = played else { return false };
    match before.parse_san(text) {
        Ok(read) => read == played,
        // `Nd2` matches either of two knights that can go there.
        Err(SanError::Ambiguous { candidates }) => candidates.contains(&played),
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests;
