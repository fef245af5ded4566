//! The position of a command and the moves after it, from the arguments of the command line.

use tabiya_rules::{CastlingMode, ParseFenError, Position};

use crate::failure::Failure;

impl From<ParseFenError> for Failure {
    fn from(error: ParseFenError) -> Failure {
        Failure::No(error.to_string())
    }
}

/// The word for the standard start.
pub const START: &str = "startpos";

/// The castling mode that the flag `--chess960` asks for; `None` leaves it to the FEN.
pub fn castling_mode(chess960: bool) -> Option<CastlingMode> {
    chess960.then_some(CastlingMode::Chess960)
}

/// Reads a position: `startpos`, a FEN in one argument or several, or the start if there is none.
pub fn read(words: &[String], mode: Option<CastlingMode>) -> Result<Position, ParseFenError> {
    let text = words.join(" ");
    let position = match text.trim() {
        "" if words.is_empty() => Position::start(),
        START => Position::start(),
        // Not the trimmed text, because an error gives the byte offset as typed.
        _ => Position::from_fen(&text)?,
    };
    Ok(match mode {
        Some(mode) => position.with_castling_mode(mode),
        None => position,
    })
}

/// The moves of a text, without the numbers of a pasted game.
pub fn moves(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split_whitespace().map(without_number);
    words.filter(|word| !word.is_empty())
}

/// A word of a pasted game without its move number: `1.`, `1.e4`, `1...`.
pub fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.starts_with('.') && rest.len() < word.len() {
        true => rest.trim_start_matches('.'),
        false => word,
    }
}
