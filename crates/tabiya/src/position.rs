//! The position of a command and the moves after it, from the arguments of the command line.

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

/// The moves of a text, without the numbers of a pasted game.
pub(crate) fn moves(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split_whitespace().map(without_number);
    words.filter(|word| !word.is_empty())
}

/// A word of a pasted game without its move number: `1.`, `1.e4`, `1...`.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.starts_with('.') && rest.len() < word.len() {
        true => rest.trim_start_matches('.'),
        false => word,
    }
}

/// Random numbers from a seed, or unpredictable ones.
pub(crate) fn random(seed: Option<u64>) -> SplitMix64 {
    SplitMix64::new(seed.unwrap_or_else(|| RandomState::new().hash_one("tabiya")))
}
