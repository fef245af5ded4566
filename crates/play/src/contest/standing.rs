//! The score of a match, told from the side of the first player.

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
    /// Whole pairs by the first player's points, from 0 to 2 in halves.
    pub pairs: [u32; 5],
    /// Games lost by anything but chess.
    pub faults: ByEntrant<Faults>,
    /// Half-moves of all games.
    pub plies: u64,
    /// Games that repeat an earlier one move for move: they carry no new information.
    pub repeated_games: u32,
    /// The test, if there is one.
    pub sprt: Option<Sprt>,
    /// Half points of pairs of which one game is over.
    half_pairs: BTreeMap<u32, usize>,
    /// Hashes of the games so far.
    seen: BTreeSet<u64>,
}

/// How often a player lost by anything but chess.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// It ended, fell silent or wrote nonsense.
    pub crashes: u32,
    /// It chose a move that was none.
    pub illegal_moves: u32,
    /// Its time ran out.
    pub time_losses: u32,
}

impl Standing {
    /// No game was played yet.
    pub fn new(sprt: Option<Sprt>) -> Standing {
        Standing {
            sprt,
            ..Standing::default()
        }
    }

    /// How many games are over.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The first player's points.
    pub fn points(&self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    /// What the results say: by pairs, or by games while no pair is whole.
    pub fn estimate(&self) -> Option<Estimate> {
        Estimate::of(&self.pairs).or_else(|| Estimate::of(&[self.losses, self.draws, self.wins]))
    }

    /// How the test stands, if there is one.
    pub fn decision(&self) -> Option<Decision> {
        Some(self.sprt?.decision(&self.pairs))
    }

    /// Adds a game.
    pub(super) fn add(&mut self, game: &Finished) {
        let half_points = match game.winner() {
            Some(Entrant::A) => 2,
            None => 1,
            Some(Entrant::B) => 0,
        };
        match half_points {
            2 => self.wins += 1,
            1 => self.draws += 1,
            _ => self.losses += 1,
        }
        self.plies += u64::from(game.plies);
        self.repeated_games += u32::from(!self.seen.insert(hash_of(game)));
        if let Some(fault) = &game.fault {
            let faults = &mut self.faults[fault.by];
            match fault.lapse.kind() {
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
            Some(before) => {
                if let Some(count) = self.pairs.get_mut(before + half_points) {
                    *count += 1;
                }
            }
        }
    }
}

/// A hash of the start and the moves of a game.
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
