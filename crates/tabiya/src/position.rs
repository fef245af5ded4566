//! The position of a command and the moves after it, from the arguments of the command line.

use tabiya_rules::{CastlingMode, Position};

use crate::failure::Failure;

/// The word for the standard start.
pub(crate) const START: &str = "startpos";

/// How the flag `--chess960` has castling read and written; `None` is as the FEN requires.
pub(crate) fn castling_mode(chess960: bool) -> Option<CastlingMode> {
    chess960.then_some(CastlingMode::Chess960)
}

/// Reads a position: `startpos`, a FEN in one argument or several, or the start if there is none.
pub(crate) fn read(words: &[String], mode: Option<CastlingMode>) -> Result<Position, Failure> {
    let text = words.join(" ");
    let position = match text.trim() {
        "" if words.is_empty() => Position::start(),
        START => Position::start(),
        // Not the trimmed text, because an error gives the byte offset as typed.
        _ => Position::from_fen(&text).map_err(|error| Failure::No(error.to_string()))?,
    };
    Ok(match mode {
        Some(mode) => position.with_castling_mode(mode),
        None => position,
    })
}

/// The moves of a text, without the numbers of a pasted game.
pub(crate) fn moves(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split_whitespace().map(without_number);
    words.filter(|word| !word.is_empty())
}

/// A word of a pasted game without its move number: `1.`, `1.e4`, `1...`.
pub(crate) fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.starts_with('.') && rest.len() < word.len() {
        true => rest.trim_start_matches('.'),
        false => word,
    }
}
