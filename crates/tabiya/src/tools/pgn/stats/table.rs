//! Rows with a name each, counted one by one up to a limit.

use std::collections::HashMap;

use tabiya_game::GameResult;

/// How many names are counted one by one.
pub(super) const LIMIT: usize = 100_000;

/// How some games ended, seen from White or from a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Score {
    pub(super) games: u64,
    pub(super) wins: u64,
    pub(super) draws: u64,
    pub(super) losses: u64,
}

impl Score {
    /// One game, seen from White.
    pub(super) fn of_white(result: GameResult) -> Score {
        let one = |wanted: GameResult| u64::from(result == wanted);
        Score {
            games: 1,
            wins: one(GameResult::WhiteWins),
            draws: one(GameResult::Draw),
            losses: one(GameResult::BlackWins),
        }
    }

    /// The same games, seen from the other side.
    pub(super) fn reversed(self) -> Score {
        Score {
            wins: self.losses,
            losses: self.wins,
            ..self
        }
    }

    pub(super) fn add(&mut self, other: Score) {
        self.games += other.games;
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// Scores by name, in the order in which the names came.
///
/// The first names are counted one by one and all others together. Tables of parts that are added in their order
/// give the table of the whole, as long as no part is over the limit itself.
#[derive(Debug, Default)]
pub(super) struct Table {
    places: HashMap<Box<str>, u32>,
    scores: Vec<Score>,
    /// How many games went to names beyond the limit.
    pub(super) others: u64,
}

impl Table {
    pub(super) fn len(&self) -> usize {
        self.scores.len()
    }

    pub(super) fn count(&mut self, name: &str, score: Score) {
        if let Some(&place) = self.places.get(name) {
            self.scores[place as usize].add(score);
        } else if self.scores.len() < LIMIT {
            // The limit fits into 32 bits.
            self.places.insert(name.into(), self.scores.len() as u32);
            self.scores.push(score);
        } else {
            self.others += score.games;
        }
    }

    pub(super) fn add(&mut self, other: Table) {
        self.others += other.others;
        let mut names: Vec<(Box<str>, u32)> = other.places.into_iter().collect();
        names.sort_unstable_by_key(|&(_, place)| place);
        for (name, place) in names {
            self.count(&name, other.scores[place as usize]);
        }
    }

    /// The rows with the most games first, and by name where those are equal.
    pub(super) fn ranking(&self) -> Vec<(&str, Score)> {
        let mut rows: Vec<(&str, Score)> = self
            .places
            .iter()
            .map(|(name, &place)| (&**name, self.scores[place as usize]))
            .collect();
        rows.sort_unstable_by(|(one, a), (other, b)| b.games.cmp(&a.games).then(one.cmp(other)));
        rows
    }
}
