//! What is counted, for one game and for many.

use std::collections::BTreeMap;
use std::fmt::Write;

use tabiya_game::{GameResult, Step};
use tabiya_rules::{Color, Position};

use super::table::{Score, Table};
use crate::tools::pgn::criteria::year;

/// A tally with more names than this is handed on, so that no part needs much memory.
const LARGE: usize = 4_096;

/// What is known of one game.
#[derive(Debug, Default)]
pub(super) struct Game {
    pub(super) white: String,
    pub(super) black: String,
    pub(super) date: String,
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
        if let Some(year) = year(&game.date) {
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
