//! What is counted, for one game and for many.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use tabiya_game::{GameResult, Step};
use tabiya_rules::{Color, Position};

use crate::tools::pgn::criteria::{date_of, year};

/// A tally with more names than this is handed on, so that no part needs much memory.
const LARGE: usize = 4_096;

/// What is known of one game.
#[derive(Debug, Default)]
pub(super) struct Game {
    pub(super) white: String,
    pub(super) black: String,
    pub(super) date: String,
    pub(super) utc_date: String,
    pub(super) opening: String,
    /// Whether the opening is a code and not moves.
    pub(super) has_code: bool,
    pub(super) result: GameResult,
    pub(super) plies: u64,
}

impl Game {
    pub(super) fn clear(&mut self) {
        self.white.clear();
        self.black.clear();
        self.date.clear();
        self.utc_date.clear();
        self.opening.clear();
        self.has_code = false;
        self.result = GameResult::Unknown;
        self.plies = 0;
    }

    /// Adds a move to the name of the opening.
    pub(super) fn name_move(&mut self, before: &Position, step: Step) {
        let name = &mut self.opening;
        if !name.is_empty() {
            name.push(' ');
        }
        // Writing into a String never fails.
        let _ = match before.turn() {
            Color::White => write!(name, "{}. ", before.fullmove_number()),
            Color::Black => Ok(()),
        };
        let _ = match step {
            Step::Move(played) => write!(name, "{}", before.san(played)),
            Step::Null => write!(name, "--"),
        };
    }
}

/// What is counted over many games.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) games: u64,
    pub(super) moves: u64,
    pub(super) errors: u64,
    /// All results; games without one are in none of its three counts.
    pub(super) results: Score,
    /// How many games have so many plies.
    pub(super) lengths: BTreeMap<u64, u64>,
    pub(super) years: BTreeMap<u16, u64>,
    pub(super) openings: Table,
    pub(super) players: Table,
}

impl Tally {
    pub(super) fn count(&mut self, game: &Game) {
        let score = Score::of_white(game.result);
        self.games += 1;
        self.moves += game.plies;
        self.results.add(score);
        *self.lengths.entry(game.plies).or_default() += 1;
        if let Some(year) = year(date_of(&game.date, &game.utc_date)) {
            *self.years.entry(year).or_default() += 1;
        }
        self.openings.count(&game.opening, score);
        for (name, score) in [(&game.white, score), (&game.black, score.reversed())] {
            if !name.is_empty() {
                self.players.count(name, score);
            }
        }
    }

    pub(super) fn is_large(&self) -> bool {
        self.openings.len() + self.players.len() > LARGE
    }

    pub(super) fn add(&mut self, other: Tally) {
        self.games += other.games;
        self.moves += other.moves;
        self.errors += other.errors;
        self.results.add(other.results);
        for (plies, games) in other.lengths {
            *self.lengths.entry(plies).or_default() += games;
        }
        for (year, games) in other.years {
            *self.years.entry(year).or_default() += games;
        }
        self.openings.add(other.openings);
        self.players.add(other.players);
    }

    /// The length in the middle of all games ordered by length; the lower one of two.
    pub(super) fn median(&self) -> Option<u64> {
        let middle = self.games.div_ceil(2);
        let mut seen = 0;
        self.lengths
            .iter()
            .find(|&(_, games)| {
                seen += games;
                seen >= middle
            })
            .map(|(&plies, _)| plies)
    }
}

/// How many names are counted one by one.
pub(super) const LIMIT: usize = 100_000;

/// How some games ended, seen from White or from a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
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
