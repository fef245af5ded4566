//! The score of a match, from the first player's point of view.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::entrant::{ByEntrant, Entrant};
use super::game::{FaultKind, Finished};
use super::statistics::{Decision, Estimate, Sprt};

/// The score of a match so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Standing {
    /// Games the first player won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games the first player lost.
    pub losses: u32,
    /// Complete pairs by the first player's points, from 0 to 2 in steps of a half.
    pub pairs: [u32; 5],
    /// Games lost by something other than chess.
    pub faults: ByEntrant<Faults>,
    /// The plies of all games.
    pub plies: u64,
    /// Games that repeat an earlier one move for move, so that they add no information.
    pub repeated_games: u32,
    /// The test, if there is one.
    pub sprt: Option<Sprt>,
    /// The half points of pairs of which only one game is over.
    half_pairs: BTreeMap<u32, usize>,
    /// Hashes of the games played so far.
    seen: BTreeSet<u64>,
}

/// How often a player lost by something other than chess.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// It exited, stopped answering or wrote something unreadable.
    pub crashes: u32,
    /// It chose an illegal move.
    pub illegal_moves: u32,
    /// Its time ran out.
    pub time_losses: u32,
}

impl Standing {
    /// Creates a standing without games.
    pub fn new(sprt: Option<Sprt>) -> Standing {
        Standing {
            sprt,
            ..Standing::default()
        }
    }

    /// The number of finished games.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The first player's points.
    pub fn points(&self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    /// The estimate from the results: by pairs, or by games while no pair is complete.
    pub fn estimate(&self) -> Option<Estimate> {
        Estimate::of(&self.pairs).or_else(|| Estimate::of(&[self.losses, self.draws, self.wins]))
    }

    /// The state of the test, if there is one.
    pub fn decision(&self) -> Option<Decision> {
        Some(self.sprt?.decision(&self.pairs))
    }

    /// Adds a game.
    pub(super) fn add(&mut self, game: &Finished) {
        let (count, half_points) = match game.winner() {
            Some(Entrant::A) => (&mut self.wins, 2),
            None => (&mut self.draws, 1),
            Some(Entrant::B) => (&mut self.losses, 0),
        };
        *count += 1;
        self.plies += u64::from(game.plies);
        self.repeated_games += u32::from(!self.seen.insert(hash_of(game)));
        if let Some(fault) = &game.fault {
            let faults = &mut self.faults[fault.by];
            match fault.cause.kind() {
                FaultKind::Crash => faults.crashes += 1,
                FaultKind::IllegalMove => faults.illegal_moves += 1,
                FaultKind::Time => faults.time_losses += 1,
            }
        }
        let pair = game.pair();
        match self.half_pairs.remove(&pair) {
            None => {
                self.half_pairs.insert(pair, half_points);
            }
            Some(before) => self.pairs[before + half_points] += 1,
        }
    }
}

/// Hashes the start and the moves of a game.
fn hash_of(game: &Finished) -> u64 {
    let mut hasher = DefaultHasher::new();
    game.record.start().key().hash(&mut hasher);
    for node in game.record.main_line() {
        node.position().key().hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests;
