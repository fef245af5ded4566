//! Orders root moves before the search by a one-ply material count, so that a search stopped before its first iteration
//! still plays a sane move.

use std::cmp::Reverse;

use tabiya_rules::{Move, PIECE_VALUES, Position, Role, SplitMix64};

/// Sorts moves by the balance of what each captures and what the opponent can capture next, the best first. Equal moves
/// stay in their order; with a seed, their order is random.
pub(crate) fn order_root_moves(position: &Position, moves: &mut [Move], seed: Option<u64>) {
    moves.sort_by_cached_key(|&m| {
        let tie_break = seed.map(|seed| SplitMix64::new(seed ^ u64::from(m.bits())).next_u64());
        (Reverse(exchange_balance(position, m)), tie_break)
    });
}

/// Mate is worth more than any capture.
fn exchange_balance(position: &Position, m: Move) -> i32 {
    let child = position.play_unchecked(m);
    if child.is_check() && !child.has_legal_move() {
        return i32::MAX;
    }
    let replies = child.captures();
    let lost = replies.iter().map(|&reply| {
        let attacker = PIECE_VALUES[reply.role()];
        let defended = !child.attackers(reply.to(), position.turn()).is_empty();
        material_gain(&child, reply) - if defended { attacker } else { 0 }
    });
    material_gain(position, m) - lost.max().unwrap_or(0).max(0)
}

/// The material a move gains by capture and promotion.
fn material_gain(position: &Position, m: Move) -> i32 {
    let captured = position
        .captured_role(m)
        .map_or(0, |role| PIECE_VALUES[role]);
    let promoted = m
        .promotion()
        .map_or(0, |role| PIECE_VALUES[role] - PIECE_VALUES[Role::Pawn]);
    captured + promoted
}

#[cfg(test)]
mod tests;
