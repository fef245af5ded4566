//! Players so simple that their strength is known. An example of the engine turns them into UCI engines, and the
//! tests of its levels play against them.

use tabiya_rules::{Color, Move, MoveHistory, Position, Role, SplitMix64, Status};

/// The most captures played out in a row.
const EXCHANGE: u32 = 6;

/// More than any material.
const MATE: i32 = 1000;

/// A simple player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Player {
    /// Plays any legal move.
    Random,
    /// Leaves nothing hanging: it mates at once if it can, and otherwise plays one of the moves that leave it with
    /// the most material once all profitable captures are played out. It has no other idea.
    Careful,
}

/// Returns the move that a player chooses from those it may play.
pub fn choose(player: Player, played: &MoveHistory, moves: &[Move], seed: u64) -> Option<Move> {
    let position = played.current();
    let value = |&m: &Move| match player {
        Player::Random => 0,
        Player::Careful => careful(position, m),
    };
    let values: Vec<i32> = moves.iter().map(value).collect();
    let highest = values.iter().copied().max()?;
    let valued = moves.iter().zip(values);
    let best: Vec<Move> = valued
        .filter(|&(_, value)| value == highest)
        .map(|(&m, _)| m)
        .collect();
    // If a position occurs again in a game, the choice may differ.
    let count = played.moves().len() as u64;
    let moment = position.key() ^ SplitMix64::new(count).next_u64();
    let mut random = SplitMix64::new(seed ^ moment);
    best.get(random.below(best.len())).copied()
}

fn careful(position: &Position, m: Move) -> i32 {
    let next = position.play_unchecked(m);
    match next.status() {
        Status::Checkmate { .. } => MATE,
        status if status.is_over() => 0,
        _ => -settled(&next, -MATE, MATE, EXCHANGE),
    }
}

/// Returns the material for the side to move after all profitable captures.
fn settled(position: &Position, mut alpha: i32, beta: i32, depth: u32) -> i32 {
    let standing = material(position);
    if standing >= beta || depth == 0 {
        return standing;
    }
    alpha = alpha.max(standing);
    for &m in &position.captures() {
        let value = -settled(&position.play_unchecked(m), -beta, -alpha, depth - 1);
        if value >= beta {
            return value;
        }
        alpha = alpha.max(value);
    }
    alpha
}

/// Returns the material advantage of the side to move, in pawns.
pub fn material(position: &Position) -> i32 {
    let pieces = position.board().material();
    let sum = |color: Color| -> i32 {
        let worth = |role: Role| pieces[color][role] as i32 * worth(role);
        Role::ALL.into_iter().map(worth).sum()
    };
    sum(position.turn()) - sum(!position.turn())
}

fn worth(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    }
}
