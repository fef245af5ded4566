//! Counting the positions some moves away: the usual proof that a move generator is exact.

use crate::{Move, MoveList, Position};

/// How many sequences of `depth` legal moves there are. The last move is counted, not played.
///
/// ```
/// use tabiya_rules::{perft, Position};
///
/// assert_eq!(perft(&Position::start(), 3), 8_902);
/// ```
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal_moves() as u64,
        _ => {
            let mut moves = MoveList::new();
            position.legal_moves_into(&mut moves);
            moves.iter().map(|&m| perft(&position.play(m), depth - 1)).sum()
        }
    }
}

/// The count below each legal move, in the order of the generator.
pub fn perft_divide(position: &Position, depth: u32) -> impl Iterator<Item = (Move, u64)> {
    let position = *position;
    let below = depth.saturating_sub(1);
    let moves = if depth == 0 { MoveList::new() } else { position.legal_moves() };
    moves.into_iter().map(move |m| (m, perft(&position.play(m), below)))
}
