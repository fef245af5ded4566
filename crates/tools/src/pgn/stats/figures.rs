//! What is counted, for one game and for many.

use std::borrow::Borrow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::hash::Hash;

use tabiya_game::GameResult;
use tabiya_openings::Opening;

use crate::pgn::criteria::{date_of, year};
use crate::pgn::tag_values::tag_values;

/// Figures with more names than this are passed on, so that no part needs much memory.
const LARGE: usize = 4_096;

/// The width of a band of ratings.
const BAND: u32 = 200;

tag_values! {
    /// The values of the tags that are counted.
    Tags {
        white = b"White",
        black = b"Black",
        date = b"Date",
        utc_date = b"UTCDate",
        white_elo = b"WhiteElo",
        black_elo = b"BlackElo",
    }
}

/// What is known about one game.
#[derive(Debug, Default)]
pub(super) struct Game {
    pub(super) tags: Tags,
    pub(super) result: GameResult,
    pub(super) plies: u64,
}

impl Game {
    pub(super) fn clear(&mut self) {
        self.tags.clear();
        self.result = GameResult::Unknown;
        self.plies = 0;
    }

    /// The mean of both ratings, if both are known.
    fn rating(&self) -> Option<u32> {
        let rating = |text: &str| text.parse::<u32>().ok().filter(|&rating| rating < 10_000);
        Some(rating(&self.tags.white_elo)?.midpoint(rating(&self.tags.black_elo)?))
    }
}

/// What a game counts as among the openings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum OpeningName {
    Named(Opening<'static>),
    /// Only its family counts.
    Family(&'static str),
    /// The game does not begin from the standard start.
    SetUp,
    NoMoves,
    Unnamed,
}

impl fmt::Display for OpeningName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpeningName::Named(opening) => write!(f, "{} {opening}", opening.eco),
            OpeningName::Family(family) => f.write_str(family),
            OpeningName::SetUp => f.write_str("from a position"),
            OpeningName::NoMoves => f.write_str("no moves"),
            OpeningName::Unnamed => f.write_str("unnamed"),
        }
    }
}

/// The figures of many games.
#[derive(Debug, Default)]
pub(crate) struct Figures {
    pub(super) moves: u64,
    pub(super) errors: u64,
    /// All games; those without a result are in none of the three counts.
    pub(super) results: ResultCounts,
    /// The number of games by length in plies.
    lengths: BTreeMap<u64, u64>,
    pub(super) years: BTreeMap<u16, ResultCounts>,
    /// By the lower bound of each band.
    bands: BTreeMap<u32, ResultCounts>,
    pub(super) openings: Table<OpeningName>,
    pub(super) players: Table<String>,
}

impl Figures {
    pub(super) fn count(&mut self, game: &Game, opening: OpeningName) {
        let score = ResultCounts::of_white(game.result);
        self.moves += game.plies;
        self.results.add(score);
        *self.lengths.entry(game.plies).or_default() += 1;
        let tags = &game.tags;
        if let Some(year) = year(date_of(&tags.date, &tags.utc_date)) {
            self.years.entry(year).or_default().add(score);
        }
        if let Some(rating) = game.rating() {
            let band = rating / BAND * BAND;
            self.bands.entry(band).or_default().add(score);
        }
        self.openings.count(&opening, score);
        for (name, score) in [(&tags.white, score), (&tags.black, score.reversed())] {
            if !name.is_empty() {
                self.players.count(name.as_str(), score);
            }
        }
    }

    /// Whether there are so many names that the figures should be passed on.
    pub(super) fn is_large(&self) -> bool {
        self.openings.rows.len() + self.players.rows.len() > LARGE
    }

    pub(super) fn add(&mut self, other: Figures) {
        self.moves += other.moves;
        self.errors += other.errors;
        self.results.add(other.results);
        for (plies, games) in other.lengths {
            *self.lengths.entry(plies).or_default() += games;
        }
        for (year, games) in other.years {
            self.years.entry(year).or_default().add(games);
        }
        for (band, games) in other.bands {
            self.bands.entry(band).or_default().add(games);
        }
        self.openings.add(other.openings);
        self.players.add(other.players);
    }

    /// The scores by bands of ratings.
    pub(super) fn bands(&self) -> impl Iterator<Item = (u32, u32, ResultCounts)> {
        let band = |(&first, &score): (&u32, &ResultCounts)| (first, first + BAND - 1, score);
        self.bands.iter().map(band)
    }

    /// The scores by bands of ratings, by the names of the bands.
    pub(super) fn ratings(&self) -> impl Iterator<Item = (String, ResultCounts)> {
        let named = |(first, last, score)| (format!("{first}–{last}"), score);
        self.bands().map(named)
    }

    /// The scores by years.
    pub(super) fn years(&self) -> impl Iterator<Item = (String, ResultCounts)> {
        let years = self.years.iter();
        years.map(|(year, &score)| (year.to_string(), score))
    }

    /// The lengths of the games.
    pub(super) fn lengths(&self) -> Lengths {
        let middle = self.results.games.div_ceil(2);
        let mut seen = 0;
        let plies = |found: Option<(&u64, &u64)>| found.map_or(0, |(&plies, _)| plies);
        Lengths {
            shortest: plies(self.lengths.first_key_value()),
            median: plies(self.lengths.iter().find(|&(_, games)| {
                seen += games;
                seen >= middle
            })),
            longest: plies(self.lengths.last_key_value()),
        }
    }
}

/// The lengths of games, in plies.
#[derive(Debug, serde::Serialize)]
pub(super) struct Lengths {
    pub(super) shortest: u64,
    /// The lower one of two.
    pub(super) median: u64,
    pub(super) longest: u64,
}

/// How many names are counted individually.
pub(super) const MAX_NAMES: usize = 100_000;

/// The results of some games, from the point of view of White or of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub(super) struct ResultCounts {
    pub(super) games: u64,
    pub(super) wins: u64,
    pub(super) draws: u64,
    pub(super) losses: u64,
}

impl ResultCounts {
    /// One game, from White's point of view.
    pub(super) fn of_white(result: GameResult) -> ResultCounts {
        let one = |wanted: GameResult| u64::from(result == wanted);
        ResultCounts {
            games: 1,
            wins: one(GameResult::WhiteWins),
            draws: one(GameResult::Draw),
            losses: one(GameResult::BlackWins),
        }
    }

    /// The games by result as PGN has it, from White's point of view.
    pub(super) fn by_result(self) -> [(&'static str, u64); 4] {
        [
            ("1-0", self.wins),
            ("1/2-1/2", self.draws),
            ("0-1", self.losses),
            ("*", self.unknown()),
        ]
    }

    /// The games without a result.
    pub(super) fn unknown(self) -> u64 {
        self.games - self.wins - self.draws - self.losses
    }

    /// The same games, from the other side's point of view.
    pub(super) fn reversed(self) -> ResultCounts {
        ResultCounts {
            wins: self.losses,
            losses: self.wins,
            ..self
        }
    }

    pub(super) fn add(&mut self, other: ResultCounts) {
        self.games += other.games;
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

impl fmt::Display for ResultCounts {
    /// Writes `+3 =2 -1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "+{} ={} -{}", self.wins, self.draws, self.losses)
    }
}

/// Scores by name, in order of first appearance.
///
/// The first names are counted individually and all others together. Adding the tables of parts in order gives the
/// table of the whole, as long as no part exceeds the limit by itself.
#[derive(Debug)]
pub(super) struct Table<K> {
    /// The place of each name in the order, and its score.
    rows: HashMap<K, (usize, ResultCounts)>,
    /// The games of names beyond the limit.
    pub(super) others: u64,
}

impl<K> Default for Table<K> {
    fn default() -> Table<K> {
        Table {
            rows: HashMap::new(),
            others: 0,
        }
    }
}

impl<K: Hash + Eq + fmt::Display> Table<K> {
    /// Adds the score of a game to a name.
    pub(super) fn count<Q>(&mut self, name: &Q, score: ResultCounts)
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ToOwned<Owned = K> + ?Sized,
    {
        let next = self.rows.len();
        if let Some((_, sum)) = self.rows.get_mut(name) {
            sum.add(score);
        } else if next < MAX_NAMES {
            self.rows.insert(name.to_owned(), (next, score));
        } else {
            self.others += score.games;
        }
    }

    /// Adds a table of later games.
    pub(super) fn add(&mut self, other: Table<K>)
    where
        K: Clone,
    {
        self.others += other.others;
        let mut rows: Vec<_> = other.rows.into_iter().collect();
        rows.sort_unstable_by_key(|&(_, (place, _))| place);
        for (name, (_, score)) in rows {
            self.count(&name, score);
        }
    }

    /// The rows with the most games first, and then by name.
    pub(super) fn ranking(&self) -> Vec<(&K, ResultCounts)> {
        let rows = self.rows.iter();
        let mut rows: Vec<_> = rows.map(|(name, &(_, score))| (name, score)).collect();
        rows.sort_by_cached_key(|(name, score)| (Reverse(score.games), name.to_string()));
        rows
    }
}
