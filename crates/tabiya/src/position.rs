//! The position of a command, from the arguments of the command line.

use std::hash::{BuildHasher, RandomState};

use tabiya_rules::{CastlingMode, Position, SplitMix64};

use crate::failure::Failure;

/// The word for the standard start.
pub(crate) const START: &str = "startpos";

/// Whether to read and write castling as in Chess960 even if the FEN does not require it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    AsWritten,
    Chess960,
}

impl Mode {
    /// The mode for the flag `--chess960`.
    pub(crate) fn from_flag(chess960: bool) -> Mode {
        if chess960 {
            Mode::Chess960
        } else {
            Mode::AsWritten
        }
    }
}

/// Reads a position: `startpos`, a FEN in one argument or several, or the start if there is none.
pub(crate) fn read(words: &[String], mode: Mode) -> Result<Position, Failure> {
    let text = words.join(" ");
    let position = match text.trim() {
        "" if words.is_empty() => Position::start(),
        START => Position::start(),
        // Not the trimmed text, because an error gives the byte offset as typed.
        _ => Position::from_fen(&text).map_err(|error| Failure::No(error.to_string()))?,
    };
    Ok(match mode {
        Mode::AsWritten => position,
        Mode::Chess960 => position.with_castling_mode(CastlingMode::Chess960),
    })
}

/// Random numbers from a seed, or unpredictable ones.
pub(crate) fn random(seed: Option<u64>) -> SplitMix64 {
    SplitMix64::new(seed.unwrap_or_else(|| RandomState::new().hash_one("tabiya")))
}
