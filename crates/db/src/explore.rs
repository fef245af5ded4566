//! What was played in a position: how often, with which results, by whom.

mod scan;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

use tabiya_game::GameResult;
use tabiya_openings::{Book, BookMove};
use tabiya_rules::{Color, Move, Position};

use crate::database::Database;
use crate::error::DbError;
use crate::facts::{Facts, RATING_BAND, Speed};
use crate::game_ref::{GameRef, IdPrefix};
use crate::game_row::Game;
use crate::key::PositionKey;
use crate::move_code::MoveCode;
use crate::tables::{EXITS, OCCURRENCES, PlaceRow, TREE, TreeNeeds, TreeRow};

/// Which games count, by what the tables say about them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only games whose mean rating is in this range. Games are counted in bands of [`RATING_BAND`] points; see
    /// [`Filter::is_banded`].
    pub ratings: Option<RangeInclusive<u16>>,
    /// Only games of these years.
    pub years: Option<RangeInclusive<u16>>,
    /// Only games of these speeds; all games if it is empty.
    pub speeds: Vec<Speed>,
}

/// A player whose games are wanted.
pub struct Player<'a> {
    /// Returns whether a name is the player's.
    pub is: &'a (dyn Fn(&str) -> bool + Sync),
    /// The player's side, or `None` for either.
    pub color: Option<Color>,
}

impl fmt::Debug for Player<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Player")
            .field("color", &self.color)
            .finish_non_exhaustive()
    }
}

impl Filter {
    /// Whether the range of ratings begins and ends with a band. It must, unless only the games of a player count.
    #[must_use]
    pub fn is_banded(&self) -> bool {
        self.ratings.as_ref().is_none_or(|ratings| {
            let (low, high) = (*ratings.start(), *ratings.end());
            low.is_multiple_of(RATING_BAND)
                && (high % RATING_BAND == RATING_BAND - 1 || high >= 10_000)
        })
    }

    /// Whether a game with these facts passes.
    pub(crate) fn passes(&self, facts: &Facts) -> bool {
        let within = |range: &Option<RangeInclusive<u16>>, value: Option<u16>| match range {
            None => true,
            Some(range) => value.is_some_and(|value| range.contains(&value)),
        };
        within(&self.ratings, facts.rating)
            && within(&self.years, facts.year)
            && (self.speeds.is_empty()
                || facts
                    .speed
                    .is_some_and(|speed| self.speeds.contains(&speed)))
    }
}

/// How hard to look for a position that at most one game has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Look in the tables of positions, and in the game that the path leads to.
    Tables,
    /// Look in every game, too.
    EveryGame,
}

/// A query: what was played in a position?
#[derive(Debug)]
pub struct Query<'a> {
    /// The positions and moves that lead to the position, if they are known.
    pub path: &'a [(Position, Move)],
    /// The position.
    pub position: Position,
    /// Which games count.
    pub filter: Filter,
    /// Only games of this player, each of which is looked at.
    pub player: Option<Player<'a>>,
    /// How many games to show.
    pub games: usize,
    /// How hard to look.
    pub effort: Effort,
}

impl Query<'_> {
    /// The columns of `tree` that an answer needs.
    fn needs(&self) -> TreeNeeds {
        TreeNeeds {
            speed: !self.filter.speeds.is_empty(),
            game: self.games > 0,
        }
    }
}

/// Results of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResultCounts {
    /// Games that White won.
    pub white: u64,
    /// Draws.
    pub draws: u64,
    /// Games that Black won.
    pub black: u64,
}

impl ResultCounts {
    /// The number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.white + self.draws + self.black
    }

    fn add(&mut self, other: ResultCounts) {
        self.white += other.white;
        self.draws += other.draws;
        self.black += other.black;
    }

    fn count(&mut self, result: GameResult) {
        match result {
            GameResult::WhiteWins => self.white += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::BlackWins => self.black += 1,
            GameResult::Unknown => {}
        }
    }
}

/// Statistics of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveStats {
    /// The move.
    pub m: Move,
    /// The results of the games in which it was played.
    pub score: ResultCounts,
    /// The mean rating, of the games with a known one.
    pub average_rating: Option<u16>,
    /// The last year in which it was played.
    pub last_year: Option<u16>,
}

/// The answer to a [`Query`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The results of all games that continued from the position.
    pub score: ResultCounts,
    /// The moves that were played, the most frequent first.
    pub moves: Vec<MoveStats>,
    /// The best games, each with the move played in the position. For a move that several games have, this is one game.
    pub games: Vec<(Move, Game)>,
}

impl Answer {
    /// The mean rating of all games with a known one.
    #[must_use]
    pub fn average_rating(&self) -> Option<u16> {
        let rated = self
            .moves
            .iter()
            .filter_map(|stats| Some((stats.average_rating?, stats.score.games())));
        let (sum, games) = rated.fold((0, 0), |(sum, games), (rating, count)| {
            (sum + u64::from(rating) * count, games + count)
        });
        (games > 0).then(|| (sum / games) as u16)
    }
}

/// The counts of a move.
#[derive(Clone, Debug, Default)]
struct Tally {
    score: ResultCounts,
    rating_sum: u64,
    rated: u64,
    last_year: Option<u16>,
    /// Known games that pass the filter, with rating and year.
    games: Vec<(u16, u16, GameRef)>,
    best: Best,
}

impl Tally {
    /// What an answer says about the move.
    fn stats(&self, m: Move) -> MoveStats {
        let mean = self.rating_sum.checked_div(self.rated);
        MoveStats {
            m,
            score: self.score,
            average_rating: mean.map(|mean| mean as u16),
            last_year: self.last_year,
        }
    }

    /// Adds the games of the move that an answer may show.
    fn push_candidates(&self, m: Move, candidates: &mut Vec<CandidateGame>) {
        let games = self.score.games();
        let known = self.games.iter();
        candidates.extend(known.map(|&(rating, year, game)| CandidateGame {
            rank: (rating, year, games, game),
            m,
            is_doubtful: false,
        }));
        if let Some(game) = self.best.game.filter(|_| self.best.may_pass) {
            // The games of frequent moves are tried first.
            candidates.push(CandidateGame {
                rank: (u16::MAX, 0, games, GameRef::Prefix(game)),
                m,
                is_doubtful: self.best.may_fail,
            });
        }
    }
}

/// The best game of a move in `tree`, and what the rows of the move say about it. Its rating is the highest, so it is
/// counted in the highest band.
#[derive(Clone, Copy, Debug, Default)]
struct Best {
    game: Option<IdPrefix>,
    band: Option<u16>,
    /// Whether a row of the band passes the filter.
    may_pass: bool,
    /// Whether a row of the band fails it.
    may_fail: bool,
}

impl Best {
    /// Takes note of a row of the move; `passes` says whether its games pass the filter.
    fn update(&mut self, row: &TreeRow, passes: bool) {
        self.game = self.game.or(row.game);
        if row.rating > self.band {
            self.band = row.rating;
            (self.may_pass, self.may_fail) = (false, false);
        }
        if row.rating == self.band {
            self.may_pass |= passes;
            self.may_fail |= !passes;
        }
    }
}

/// A game that an answer may show.
#[derive(Clone, Copy, Debug)]
struct CandidateGame {
    /// Rating, year, number of games with the move, and the game. The highest rank is tried first.
    rank: (u16, u16, u64, GameRef),
    m: Move,
    /// Whether it may fail the filter.
    is_doubtful: bool,
}

/// The counts of a position.
#[derive(Debug, Default)]
struct Count {
    moves: BTreeMap<MoveCode, Tally>,
}

impl Count {
    /// Adds a row of `tree`, if its games pass the filter.
    fn add_row(&mut self, code: MoveCode, row: &TreeRow, filter: &Filter) {
        let facts = Facts {
            result: GameResult::Unknown,
            year: row.year,
            speed: row.speed,
            rating: row.rating,
        };
        let passes = filter.passes(&facts);
        let tally = self.moves.entry(code).or_default();
        tally.best.update(row, passes);
        if !passes {
            return;
        }
        let score = ResultCounts {
            white: row.white.into(),
            draws: row.draws.into(),
            black: row.black.into(),
        };
        tally.score.add(score);
        if row.rating.is_some() {
            tally.rating_sum += row.rating_sum;
            tally.rated += score.games();
        }
        tally.last_year = tally.last_year.max(row.year);
    }

    /// Adds a single game, if it passes the filter.
    fn add_place(&mut self, place: &PlaceRow, filter: &Filter) {
        let (Some(code), facts) = (place.code, &place.facts) else {
            return;
        };
        if facts.result == GameResult::Unknown || !filter.passes(facts) {
            return;
        }
        let tally = self.moves.entry(code).or_default();
        tally.score.count(facts.result);
        if let Some(rating) = facts.rating {
            tally.rating_sum += u64::from(rating);
            tally.rated += 1;
        }
        tally.last_year = tally.last_year.max(facts.year);
        tally.games.push((
            facts.rating.unwrap_or_default(),
            facts.year.unwrap_or_default(),
            place.game,
        ));
    }
}

impl Database {
    /// Returns what was played in a position.
    ///
    /// A game counts once for a position, with the move played there the first time, and only if it has a result.
    ///
    /// # Errors
    /// A file is missing or damaged, or the database is only a share of one.
    pub fn explore(&self, query: &Query<'_>) -> Result<Answer, DbError> {
        let mut count = Count::default();
        let in_games = match query.player {
            Some(_) => true,
            None => {
                let is_complete = self.count_tables(query, &mut count)?;
                !is_complete && query.effort == Effort::EveryGame
            }
        };
        if in_games {
            for place in self.scan(query)? {
                count.add_place(&place, &query.filter);
            }
        }
        self.answer(query, count)
    }

    /// Counts from the tables. Returns whether they have all games with the position.
    fn count_tables(&self, query: &Query<'_>, count: &mut Count) -> Result<bool, DbError> {
        let key = PositionKey::of(&query.position);
        let (table, rows) = self.find(&TREE, &(key.hash..=key.hash))?;
        for rows in rows {
            for (_, code, row) in TreeRow::read(&table, &rows, Some(key), query.needs())? {
                count.add_row(code, &row, &query.filter);
            }
        }
        let mut is_known = !count.moves.is_empty();
        for place in self.places(&EXITS, key)? {
            is_known = true;
            count.add_place(&place, &query.filter);
        }
        if is_known {
            return Ok(true);
        }
        if self.is_full() {
            for place in self.places(&OCCURRENCES, key)? {
                count.add_place(&place, &query.filter);
            }
            return Ok(true);
        }
        // Where the path leaves shared ground, it leads to a single game.
        for made in query.path.iter().rev() {
            let code = MoveCode::new(made.1);
            for place in self.places(&EXITS, PositionKey::of(&made.0))? {
                if place.code == Some(code)
                    && let Some(game) = self.whole_game(place.game, made)?
                    && let Some(found) = scan::first_occurrence(&game, &query.position)
                {
                    count.add_place(&found, &query.filter);
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Makes the answer: the moves, and the best of their games.
    fn answer(&self, query: &Query<'_>, count: Count) -> Result<Answer, DbError> {
        let mut answer = Answer::default();
        let mut candidates = Vec::new();
        for (code, tally) in count.moves {
            // A move that is not legal belongs to another position with the same key.
            if tally.score.games() > 0
                && let Some(m) = code.resolve(&query.position)
            {
                answer.score.add(tally.score);
                answer.moves.push(tally.stats(m));
                tally.push_candidates(m, &mut candidates);
            }
        }
        answer.moves.sort_by_key(|stats| {
            (
                std::cmp::Reverse(stats.score.games()),
                MoveCode::new(stats.m),
            )
        });
        candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.rank));
        answer.games = self.best_games(query, &candidates)?;
        Ok(answer)
    }

    /// The first candidates that pass the filter, as many as the query wants.
    fn best_games(
        &self,
        query: &Query<'_>,
        candidates: &[CandidateGame],
    ) -> Result<Vec<(Move, Game)>, DbError> {
        let mut games = Vec::new();
        for candidate in candidates {
            if games.len() == query.games {
                break;
            }
            let (game, made) = (candidate.rank.3, (query.position, candidate.m));
            if candidate.is_doubtful && !self.passes(game, &made, &query.filter)? {
                continue;
            }
            if let Some(game) = self.header(game, &made)? {
                games.push((candidate.m, game));
            }
        }
        games.sort_by_key(|(_, game)| {
            let facts = game.facts();
            std::cmp::Reverse((facts.rating, facts.year, game.id))
        });
        Ok(games)
    }
}

/// A database as a book. The weight of a move is its score for the side to move, two for a win and one for a draw.
impl Book for Database {
    type Error = DbError;

    fn moves(&mut self, position: &Position) -> Result<Vec<BookMove>, DbError> {
        let answer = self.explore(&Query {
            path: &[],
            position: *position,
            filter: Filter::default(),
            player: None,
            games: 0,
            effort: Effort::Tables,
        })?;
        let weigh = |stats: &MoveStats| {
            let won = match position.turn() {
                Color::White => stats.score.white,
                Color::Black => stats.score.black,
            };
            BookMove {
                m: stats.m,
                weight: u32::try_from(2 * won + stats.score.draws).unwrap_or(u32::MAX),
            }
        };
        Ok(answer.moves.iter().map(weigh).collect())
    }
}

#[cfg(test)]
mod tests;
