//! Explains in chess terms why a move was wrong, from the line that refutes it.

use std::fmt;

use tabiya_rules::{ByRole, Move, PIECE_VALUES, Position, Role, Score};

use crate::analysis::{Judged, Verdict};

/// How many plies of the refuting line are examined.
const MAX_PLIES: usize = 8;

/// How many of the opponent's moves are named.
const MAX_NAMED_MOVES: usize = 3;

/// What a move lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The move in SAN.
    pub san: String,
    /// What it cost.
    pub cost: Cost,
    /// The opponent's moves that prove it, in SAN.
    pub proof: Vec<String>,
}

/// What a mistake costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// The opponent mates in this many moves.
    AllowsMate(u32),
    /// There was a mate in this many moves.
    MissesMate(u32),
    /// A piece is lost for nothing in return.
    Piece(Role),
    /// A piece is lost for a less valuable one.
    PieceFor(Role, Role),
    /// A rook is lost for a knight or a bishop.
    Exchange,
}

impl fmt::Display for Explanation {
    /// A sentence, such as `Nf6 loses the knight: Bxf7+ and Ng5+.`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let san = &self.san;
        let name = |role: Role| role.name().to_ascii_lowercase();
        match self.cost {
            Cost::AllowsMate(moves) => write!(f, "{san} allows mate in {moves}")?,
            Cost::MissesMate(moves) => write!(f, "{san} misses mate in {moves}")?,
            Cost::Piece(Role::Pawn) => write!(f, "{san} loses a pawn")?,
            Cost::Piece(role) => write!(f, "{san} loses the {}", name(role))?,
            Cost::PieceFor(lost, gained) => {
                write!(f, "{san} loses the {} for a {}", name(lost), name(gained))?;
            }
            Cost::Exchange => write!(f, "{san} loses the exchange")?,
        }
        match &self.proof[..] {
            [] => f.write_str("."),
            [only] => write!(f, ": {only}."),
            [first @ .., last] => write!(f, ": {} and {last}.", first.join(", ")),
        }
    }
}

/// Explains why a move was wrong; `None` if nothing can be shown on the board.
#[must_use]
pub fn of(position: &Position, judged: &Judged<'_>) -> Option<Explanation> {
    let played = judged.played?;
    let san = position.san(played).to_string();
    let line = &judged.after.best;
    let score = |verdict: &Verdict| Some(verdict.evaluation?.score.for_side(judged.by));
    let (cost, plies) = if let Some(Score::MatedIn(moves)) = score(judged.after) {
        (Cost::AllowsMate(moves), line.len())
    } else if let Some(Score::MateIn(moves)) = score(judged.before) {
        (Cost::MissesMate(moves), 0)
    } else {
        material(position, played, line)?
    };
    let proof = proof(position, played, line.get(..plies)?);
    Some(Explanation { san, cost, proof })
}

/// The moves of a line after a move, as far as they are legal, each with the position before it.
fn moves_after(
    position: &Position,
    played: Move,
    line: &[Move],
) -> impl Iterator<Item = (Position, Move)> {
    let mut here = position.play_unchecked(played);
    line.iter().map_while(move |&next| {
        let before = here;
        let is_legal = before.legal_moves().contains(&next);
        is_legal.then(|| {
            here = before.play_unchecked(next);
            (before, next)
        })
    })
}

/// The opponent's moves of a line.
fn proof(position: &Position, played: Move, line: &[Move]) -> Vec<String> {
    let moves = moves_after(position, played, line).step_by(2);
    let named = moves.take(MAX_NAMED_MOVES);
    named
        .map(|(here, next)| here.san(next).to_string())
        .collect()
}

/// What a line loses, and after how many plies.
fn material(position: &Position, played: Move, line: &[Move]) -> Option<(Cost, usize)> {
    // How many of each piece are lost, less those gained: an even trade is not a loss.
    let mut lost = ByRole::from_fn(|_| 0_i32);
    if let Some((_, piece)) = position.captured(played) {
        lost[piece.role] -= 1;
    }
    let mut seen = 0;
    let moves = moves_after(position, played, line).take(MAX_PLIES);
    for (at, (here, next)) in moves.enumerate() {
        if let Some((_, piece)) = here.captured(next) {
            lost[piece.role] += if at % 2 == 0 { 1 } else { -1 };
            seen = at + 1;
        }
    }
    // Roles are in the order of their values.
    let dearest = |sign: i32| {
        Role::ALL
            .into_iter()
            .rfind(|&role| lost[role].signum() == sign)
    };
    let (most, back) = (dearest(1)?, dearest(-1));
    let value = |role: Role| lost[role] * PIECE_VALUES[role];
    let net: i32 = Role::ALL.into_iter().map(value).sum();
    if net < PIECE_VALUES[Role::Pawn] * 3 / 4 {
        return None;
    }
    let cost = match (most, back) {
        (role, None) => Cost::Piece(role),
        (Role::Rook, Some(Role::Knight | Role::Bishop)) => Cost::Exchange,
        (role, Some(other)) if other < role => Cost::PieceFor(role, other),
        (_, Some(_)) => return None,
    };
    Some((cost, seen))
}

#[cfg(test)]
mod tests;
