//! Looks for a position in the games themselves, on all cores, and skips games that cannot have it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use tabiya_game::GameResult;
use tabiya_rules::{Color, Move, Position};

use super::{Filter, Player, Query};
use crate::column::Column;
use crate::database::Database;
use crate::error::DbError;
use crate::game_ref::GameRef;
use crate::game_row::{Game, IrreversibleFeatures};
use crate::move_code::MoveCode;
use crate::table::{Rows, TableReader};
use crate::tables::{
    GAMES, PlaceRow, bytes, game_column, long, read_columns, read_games, read_some_columns, short,
};

/// The most threads that first_occurrence for a position.
const MAX_THREADS: usize = 16;

impl Database {
    /// Where the position of a query occurs, in the order of the games.
    pub(super) fn scan(&self, query: &Query<'_>) -> Result<Vec<PlaceRow>, DbError> {
        let next = AtomicUsize::new(0);
        let found = Mutex::new(Vec::new());
        let work = || {
            loop {
                let part = next.fetch_add(1, Ordering::Relaxed);
                if part >= self.game_parts() {
                    return;
                }
                let places = self.scan_part(part, query);
                let is_over = places.is_err();
                let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                found.push((part, places));
                if is_over {
                    next.store(usize::MAX / 2, Ordering::Relaxed);
                }
            }
        };
        let threads = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| {
            for _ in 1..threads.min(MAX_THREADS) {
                // If a thread cannot be started, the others do its work.
                let _ = thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.sort_by_key(|&(part, _)| part);
        let mut all = Vec::new();
        for (_, places) in found {
            all.extend(places?);
        }
        Ok(all)
    }

    /// Where the position of a query occurs in a part.
    fn scan_part(&self, part: usize, query: &Query<'_>) -> Result<Vec<PlaceRow>, DbError> {
        let table = self.table(&GAMES, part)?;
        let mut places = Vec::new();
        for rows in table.groups() {
            let candidates = candidates(&table, &rows, query)?;
            if candidates.is_empty() {
                continue;
            }
            let games = read_some_columns(&table, rows.group, &candidates, LIGHT)?;
            let passing = games
                .iter()
                .filter(|game| query.filter.passes(&game.facts()));
            places.extend(passing.filter_map(|game| first_occurrence(game, &query.position)));
        }
        Ok(places)
    }

    /// Whether a game in which a move was made passes a filter.
    pub(super) fn passes(
        &self,
        game: GameRef,
        made: &(Position, Move),
        filter: &Filter,
    ) -> Result<bool, DbError> {
        let header = match self.recent_header(game) {
            Some(header) => Some(header),
            None => match self.row_of_game(game, made)? {
                Some(row) => read_columns(&row.table, &row.rows, FACTS)?.pop(),
                None => None,
            },
        };
        Ok(header.is_some_and(|header| filter.passes(&header.facts())))
    }

    /// A game in which a move was made, without its moves and rarer tags, so that it is read faster.
    pub(super) fn header(
        &self,
        game: GameRef,
        made: &(Position, Move),
    ) -> Result<Option<Game>, DbError> {
        if let Some(header) = self.recent_header(game) {
            return Ok(Some(header));
        }
        let Some(row) = self.row_of_game(game, made)? else {
            return Ok(None);
        };
        let header = read_columns(&row.table, &row.rows, HEADER)?.pop();
        if let Some(header) = &header
            && row.is_only
        {
            self.remember_header(game, header);
        }
        Ok(header)
    }

    /// A game in which a move was made.
    pub(super) fn whole_game(
        &self,
        game: GameRef,
        made: &(Position, Move),
    ) -> Result<Option<Game>, DbError> {
        match self.row_of_game(game, made)? {
            Some(row) => Ok(read_games(&row.table, &row.rows)?.pop()),
            None => Ok(None),
        }
    }

    /// The row of a game. Where several games share the prefix of their IDs, they are replayed: it is the one in which
    /// the move was made, the best if there are several, as in `tree`.
    fn row_of_game(
        &self,
        game: GameRef,
        made: &(Position, Move),
    ) -> Result<Option<GameRow>, DbError> {
        let (table, found) = self.find(&GAMES, &game.ids())?;
        let single = |rows: &Rows| {
            let group = rows.group;
            rows.range.clone().map(move |row| Rows {
                group,
                range: row..row + 1,
            })
        };
        let mut rows: Vec<Rows> = found.iter().flat_map(single).collect();
        let is_only = rows.len() == 1;
        if rows.len() > 1 {
            let code = MoveCode::new(made.1);
            let mut best = None;
            for rows in rows.drain(..) {
                for game in read_games(&table, &rows)? {
                    let facts = game.facts();
                    // Games without a result are not in `tree` or `exits`.
                    if facts.result != GameResult::Unknown
                        && first_occurrence(&game, &made.0)
                            .is_some_and(|place| place.code == Some(code))
                    {
                        let rank = facts.rank(game.id);
                        if best.as_ref().is_none_or(|(other, _)| *other < rank) {
                            best = Some((rank, rows.clone()));
                        }
                    }
                }
            }
            rows.extend(best.map(|(_, rows)| rows));
        }
        Ok(rows.pop().map(|rows| GameRow {
            table,
            rows,
            is_only,
        }))
    }
}

/// Where a game is.
struct GameRow {
    table: Arc<TableReader>,
    /// The one row.
    rows: Rows,
    /// Whether no other game could have been meant.
    is_only: bool,
}

/// What replaying needs: the ID, the ratings, year, result, speed, start and moves.
const LIGHT: &[usize] = &[0, 3, 4, 9, 10, 13, 14, 19];

/// What filters need.
const FACTS: &[usize] = &[3, 4, 9, 13];

/// What a list of games shows.
const HEADER: &[usize] = &[0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 13];

/// The rows of games that may have the position, judged by their players and their last positions.
fn candidates(table: &TableReader, rows: &Rows, query: &Query<'_>) -> Result<Vec<usize>, DbError> {
    let mut candidates: Vec<usize> = match &query.player {
        Some(player) => played_by(table, rows, player)?,
        None => rows.range.clone().collect(),
    };
    if candidates.is_empty() {
        return Ok(candidates);
    }
    let material = table.read(rows, game_column::MATERIAL)?;
    let home_pawns = table.read(rows, game_column::HOME_PAWNS)?;
    let wanted = IrreversibleFeatures::of(query.position.board());
    let may_reach = |row: &usize| {
        let game = Game {
            material: long(&material, *row).unwrap_or_default().cast_unsigned(),
            home_pawns: short(&home_pawns, *row).unwrap_or_default(),
            ..Game::default()
        };
        game.may_reach(&wanted)
    };
    candidates.retain(may_reach);
    Ok(candidates)
}

/// The rows of games in which a player has the wanted side.
fn played_by(table: &TableReader, rows: &Rows, player: &Player<'_>) -> Result<Vec<usize>, DbError> {
    let names = [
        (Color::White, table.read(rows, game_column::WHITE)?),
        (Color::Black, table.read(rows, game_column::BLACK)?),
    ];
    let mut known = HashMap::new();
    let mut plays = |row: &usize| {
        names.iter().any(|(color, names)| {
            player.color.is_none_or(|wanted| wanted == *color)
                && is_player(names, *row, player, &mut known)
        })
    };
    Ok(rows.range.clone().filter(|row| plays(row)).collect())
}

/// Whether the name in a row is a player's; `known` has the names that were asked about before.
fn is_player(
    names: &Column,
    row: usize,
    player: &Player<'_>,
    known: &mut HashMap<Vec<u8>, bool>,
) -> bool {
    let Some(name) = bytes(names, row) else {
        return false;
    };
    if let Some(&answer) = known.get(name.data()) {
        return answer;
    }
    let answer = (player.is)(&String::from_utf8_lossy(name.data()));
    known.insert(name.data().to_vec(), answer);
    answer
}

/// The first place where a game has a position, and the move played there.
pub(super) fn first_occurrence(game: &Game, wanted: &Position) -> Option<PlaceRow> {
    let features = IrreversibleFeatures::of(wanted.board());
    let key = wanted.key();
    for (ply, (position, m)) in (0..=u16::MAX).zip(game.plies()) {
        if position.key() == key && position == *wanted {
            return Some(PlaceRow {
                code: Some(MoveCode::new(m)),
                game: GameRef::Id(game.id),
                ply,
                facts: game.facts(),
            });
        }
        if !features.may_follow(&IrreversibleFeatures::of(position.board())) {
            return None;
        }
    }
    None
}
