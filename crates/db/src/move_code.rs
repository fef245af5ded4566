//! Moves as numbers: by their squares, as in tables of positions, and by their place among the legal moves, as in
//! games.

use tabiya_rules::{File, Move, MoveList, Position, Role, Square};

/// A move by its squares, as in UCI: origin, destination and promotion. Castling from the standard squares is the king's
/// move of two squares; any other castling is the king's move onto its rook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct MoveCode(pub(crate) u16);

impl MoveCode {
    /// No move: the game ended here. No real move has the same origin and destination.
    pub(crate) const NONE: MoveCode = MoveCode(0);

    pub(crate) fn new(m: Move) -> MoveCode {
        let promotion = promotion_number(m.promotion());
        MoveCode(
            target(m).index() as u16 | (m.from().index() as u16) << 6 | u16::from(promotion) << 12,
        )
    }

    /// The move in a position, if it is legal there.
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
            (file < 8 && rank < 8).then(|| u16::from(rank * 8 + file))
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

/// The letters of promotions by number.
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

/// The destination of a move in UCI.
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

/// The sort key for the legal moves of a position in the games of a database: origin, destination (for castling, the
/// rook's square) and promotion.
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

/// The move at a place among the legal moves of a position.
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
