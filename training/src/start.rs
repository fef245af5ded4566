//! Where games start: after some random plies, so that no two of them are the same.

use tabiya_rules::{Move, Position, SplitMix64, Status};

/// Of a hundred games, how many start from the standard position, and how many from one of Chess960.
/// The rest start from a different one for each side.
const STANDARD: usize = 85;
const CHESS960: usize = 10;
/// The fewest random plies. Every other game has one more, so that either side may be to move.
const RANDOM_PLIES: usize = 8;
/// The most that a random ply may lose by static exchange evaluation, in centipawns.
const MAX_LOSS: i32 = 100;

/// Returns a random start; `None` if the random plies end the game, or reach a position where every
/// move loses too much.
#[must_use]
pub fn random_start(random: &mut SplitMix64) -> Option<Position> {
    let mut position = first_position(random)?;
    for _ in 0..RANDOM_PLIES + random.below(2) {
        let moves = position.legal_moves();
        let sound: Vec<Move> = moves
            .iter()
            .copied()
            .filter(|&m| position.see_ge(m, -MAX_LOSS))
            .collect();
        position = position.play_unchecked(*sound.get(random.below(sound.len()))?);
    }
    (position.status() == Status::Ongoing).then_some(position)
}

fn first_position(random: &mut SplitMix64) -> Option<Position> {
    let kind = random.below(100);
    let mut number = || random.below(960) as u16;
    if kind < STANDARD {
        Some(Position::start())
    } else if kind < STANDARD + CHESS960 {
        Position::chess960(number())
    } else {
        Position::double_chess960(number(), number())
    }
}
