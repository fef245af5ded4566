//! Moves as numbers: by their squares, as tables have them, and by their place among the legal moves, as games do.

use tabiya_rules::{File, Move, MoveList, Position, Role, Square};

/// A move by its squares, in the sense of UCI: the square that the piece leaves, the one it enters, and what a pawn
/// becomes. A castle from the standard places of king and rook is the king's move of two squares; any other is the
/// king's move onto its rook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct MoveCode(pub(crate) u16);

impl MoveCode {
    /// No move: a game ended here. No move leaves a square for the same one.
    pub(crate) const NONE: MoveCode = MoveCode(0);

    pub(crate) fn new(m: Move) -> MoveCode {
        let promotion = promotion_number(m.promotion());
        MoveCode(
            target(m).index() as u16 | (m.from().index() as u16) << 6 | u16::from(promotion) << 12,
        )
    }

    /// The legal move of a position that this is, if it is one.
    pub(crate) fn resolve(self, position: &Position) -> Option<Move> {
        let moves = position.legal_moves();
        moves.iter().copied().find(|&m| MoveCode::new(m) == self)
    }

    /// The move as UCI writes it, such as `e7e8q`.
    pub(crate) fn uci(self) -> String {
        let mut text = String::with_capacity(5);
        for bits in [self.0 >> 6, self.0] {
            let square = usize::from(bits & 63);
            text.push((b'a' + (square % 8) as u8) as char);
            text.push((b'1' + (square / 8) as u8) as char);
        }
        if let Some(&letter) = PROMOTIONS.get(usize::from(self.0 >> 12)) {
            text.extend(letter);
        }
        text
    }

    /// Reads what [`MoveCode::uci`] writes.
    pub(crate) fn from_uci(text: &[u8]) -> Option<MoveCode> {
        let square = |file: u8, rank: u8| {
            let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
            (file < 8 && rank < 8).then_some(u16::from(rank * 8 + file))
        };
        let (&[a, b, c, d], rest) = text.split_first_chunk::<4>()?;
        let promotion = PROMOTIONS
            .iter()
            .position(|letter| letter.map(|letter| letter as u8).as_slice() == rest)?;
        Some(MoveCode(
            square(c, d)? | square(a, b)? << 6 | (promotion as u16) << 12,
        ))
    }
}

/// The letters of promotions, by their numbers.
const PROMOTIONS: [Option<char>; 5] = [None, Some('n'), Some('b'), Some('r'), Some('q')];

fn promotion_number(role: Option<Role>) -> u8 {
    match role {
        None | Some(Role::Pawn | Role::King) => 0,
        Some(Role::Knight) => 1,
        Some(Role::Bishop) => 2,
        Some(Role::Rook) => 3,
        Some(Role::Queen) => 4,
    }
}

/// The square that a move enters, as UCI has it.
fn target(m: Move) -> Square {
    let (from, to) = (m.from(), m.to());
    if !m.is_castle() || from.file() != File::E {
        return to;
    }
    let file = match to.file() {
        File::A => File::C,
        File::H => File::G,
        _ => return to,
    };
    Square::new(file, from.rank())
}

/// By what the legal moves of a position are ordered in the games of a database: the square that is left, the square
/// that is entered (for a castle, the rook's), and what a pawn becomes.
fn order(m: Move) -> u16 {
    (m.from().index() as u16) << 9
        | (m.to().index() as u16) << 3
        | u16::from(promotion_number(m.promotion()))
}

/// The place of a legal move among the legal moves of its position. No position has more than 218 of them.
pub(crate) fn rank(moves: &MoveList, m: Move) -> u8 {
    let place = order(m);
    moves.iter().filter(|&&other| order(other) < place).count() as u8
}

/// The move of a place among the legal moves of a position.
pub(crate) fn unrank(position: &Position, place: u8) -> Option<Move> {
    let moves = position.legal_moves();
    let place = usize::from(place);
    if place >= moves.len() {
        return None;
    }
    let mut ordered = [(0, None); 256];
    let ordered = ordered.get_mut(..moves.len())?;
    for (slot, &m) in ordered.iter_mut().zip(moves.iter()) {
        *slot = (order(m), Some(m));
    }
    let (_, &mut (_, found), _) = ordered.select_nth_unstable_by_key(place, |&(order, _)| order);
    found
}

#[cfg(test)]
mod tests;
