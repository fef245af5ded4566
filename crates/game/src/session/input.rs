//! From what a player typed or clicked to a legal move, or the reason why there is none.

use tabiya_rules::{IllegalMove, Move, Position, Role, SanError, Square};

use crate::command::MoveInput;
use crate::pgn;
use crate::refusal::MoveRefusal;

impl MoveInput {
    /// Returns the legal move that is meant in a position.
    ///
    /// # Errors
    /// Fails if there is none; the refusal says why.
    pub fn resolve(&self, position: &Position) -> Result<Move, MoveRefusal> {
        match self {
            MoveInput::Text(text) => resolve_text(text, position),
            MoveInput::Squares {
                from,
                to,
                promotion,
            } => position
                .find_move(*from, *to, *promotion)
                .map_err(MoveRefusal::Illegal),
            MoveInput::Move(played) => resolve_move(*played, position),
        }
    }
}

/// Checks a move given as a value like any other, because it may belong to another position.
fn resolve_move(played: Move, position: &Position) -> Result<Move, MoveRefusal> {
    if position.is_legal(played) {
        return Ok(played);
    }
    let (from, to) = (played.from(), played.to());
    match position.find_move(from, to, played.promotion()) {
        Err(reason) => Err(MoveRefusal::Illegal(reason)),
        // The squares fit another move, for example a rook's where this one is a bishop's.
        Ok(_) => {
            let role = played.role();
            Err(MoveRefusal::Illegal(IllegalMove::NotItsMove {
                role,
                from,
                to,
            }))
        }
    }
}

/// Reads a move as people write it, in coordinates or in algebraic notation.
fn resolve_text(text: &str, position: &Position) -> Result<Move, MoveRefusal> {
    let text = text.trim();
    if let Some((from, to, promotion)) = coordinates(text) {
        return position
            .find_move(from, to, promotion)
            .map_err(MoveRefusal::Illegal);
    }
    if pgn::is_null_move(text.as_bytes()) {
        return Err(MoveRefusal::NullMove);
    }
    position.parse_san(text).map_err(|error| {
        if error == SanError::Syntax {
            // The text may have any length; only its beginning is quoted.
            MoveRefusal::Unreadable {
                text: text.chars().take(80).collect(),
            }
        } else {
            MoveRefusal::San(error)
        }
    })
}

/// Reads `e2e4` and `e7e8q`; anything else is not in coordinates.
fn coordinates(text: &str) -> Option<(Square, Square, Option<Role>)> {
    let (&[from_file, from_rank, to_file, to_rank], rest) = text.as_bytes().split_first_chunk()?;
    let promotion = match rest {
        [] => None,
        [letter] => Some(match letter.to_ascii_lowercase() {
            b'q' => Role::Queen,
            b'r' => Role::Rook,
            b'b' => Role::Bishop,
            b'n' => Role::Knight,
            _ => return None,
        }),
        _ => return None,
    };
    Some((
        Square::from_ascii(from_file, from_rank)?,
        Square::from_ascii(to_file, to_rank)?,
        promotion,
    ))
}
