//! Books made from games. The weight of a move is its score for the side that played it, two for a win and one for a draw.

use std::collections::{BTreeMap, HashMap, HashSet};

use tabiya_rules::{Color, Move, Position};

use super::merge::{Weighed, scaled};
use super::{BookEntry, RawMove};

/// The score of a color: two for a win, one for a draw.
fn score(winner: Option<Color>, color: Color) -> u64 {
    match winner {
        Some(winner) if winner == color => 2,
        Some(_) => 0,
        None => 1,
    }
}

/// How often a move was played, and its score.
#[derive(Clone, Copy, Default, Debug)]
struct Count {
    games: u32,
    score: u64,
}

/// Collects games for a book.
///
/// ```
/// use std::io::Cursor;
/// use tabiya_openings::{Book, BookBuilder, PolyglotBook, write};
/// use tabiya_rules::{Color, Position};
///
/// let start = Position::start();
/// let mut builder = BookBuilder::new().plies(20).min_games(2);
/// for (text, winner) in [("e2e4", Some(Color::White)), ("e2e4", None), ("a2a4", None)] {
///     builder.add_game(&start, [start.parse_uci(text)?], winner);
/// }
/// let mut bytes = Vec::new();
/// write(builder.entries(), &mut bytes)?;
/// let moves = PolyglotBook::new(Cursor::new(bytes))?.moves(&start)?;
/// // 1. a4 was played once only; 1. e4 scored a win and a draw.
/// assert_eq!(moves.len(), 1);
/// assert_eq!((moves[0].m, moves[0].weight), (start.parse_uci("e2e4")?, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BookBuilder {
    plies: usize,
    min_games: u32,
    counts: HashMap<(u64, RawMove), Count>,
}

impl Default for BookBuilder {
    fn default() -> BookBuilder {
        BookBuilder::new()
    }
}

impl BookBuilder {
    /// A builder without games. The first 20 plies of each game count, and one game is enough for a move.
    #[must_use]
    pub fn new() -> BookBuilder {
        BookBuilder {
            plies: 20,
            min_games: 1,
            counts: HashMap::new(),
        }
    }

    /// How many plies of each game count.
    #[must_use]
    pub fn plies(mut self, plies: usize) -> BookBuilder {
        self.plies = plies;
        self
    }

    /// In how many games a move must be played, from the same position, to be in the book.
    #[must_use]
    pub fn min_games(mut self, games: u32) -> BookBuilder {
        self.min_games = games;
        self
    }

    /// Adds the first plies of a game, which is a draw if there is no winner. An illegal move ends it; a move that is
    /// played again from the same position counts once.
    pub fn add_game(
        &mut self,
        start: &Position,
        moves: impl IntoIterator<Item = Move>,
        winner: Option<Color>,
    ) {
        let mut position = *start;
        let mut seen = HashSet::new();
        for m in moves.into_iter().take(self.plies) {
            let Ok(next) = position.play(m) else {
                break;
            };
            let place = (position.polyglot_key(), RawMove::new(m));
            if seen.insert(place) {
                let count = self.counts.entry(place).or_default();
                count.games = count.games.saturating_add(1);
                count.score = count.score.saturating_add(score(winner, position.turn()));
            }
            position = next;
        }
    }

    /// The entries of the book, sorted by key, and the best move of a position first.
    #[must_use]
    pub fn entries(&self) -> Vec<BookEntry> {
        let mut positions: BTreeMap<u64, Vec<Weighed>> = BTreeMap::new();
        for (&(key, raw), count) in &self.counts {
            if count.games >= self.min_games {
                positions.entry(key).or_default().push(Weighed {
                    raw,
                    weight: count.score,
                    learn: 0,
                });
            }
        }
        positions
            .into_iter()
            .flat_map(|(key, moves)| scaled(key, moves))
            .collect()
    }
}
