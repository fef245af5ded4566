//! Looking for a position in the games themselves, on all cores, past those that cannot have it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use tabiya_rules::{Color, Position};

use super::{Filter, Player};
use crate::column::Column;
use crate::database::Database;
use crate::error::DbError;
use crate::game_row::{Game, Sketch};
use crate::move_code::MoveCode;
use crate::table::{Rows, TableReader};
use crate::tables::{
    GAMES, PlaceRow, bytes, game_column, long, read_columns, read_some_columns, short,
};

/// The most threads that look for a position.
const MOST_THREADS: usize = 16;

impl Database {
    /// Where a position occurs, in the order of the games.
    pub(super) fn scan(
        &self,
        position: &Position,
        filter: &Filter<'_>,
    ) -> Result<Vec<PlaceRow>, DbError> {
        let next = AtomicUsize::new(0);
        let found = Mutex::new(Vec::new());
        let work = || {
            loop {
                let part = next.fetch_add(1, Ordering::Relaxed);
                if part >= self.game_parts() {
                    return;
                }
                let places = self.scan_part(part, position, filter);
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
            for _ in 1..threads.min(MOST_THREADS) {
                // Those that cannot be had are not missed.
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

    fn scan_part(
        &self,
        part: usize,
        position: &Position,
        filter: &Filter<'_>,
    ) -> Result<Vec<PlaceRow>, DbError> {
        let table = self.table(&GAMES, part)?;
        let mut places = Vec::new();
        for rows in table.groups() {
            let candidates = candidates(&table, &rows, position, filter)?;
            if candidates.is_empty() {
                continue;
            }
            let games = read_some_columns(&table, rows.group, &candidates, LIGHT)?;
            let passing = games.iter().filter(|game| filter.passes(&game.facts()));
            places.extend(passing.filter_map(|game| look(game, position)));
        }
        Ok(places)
    }

    /// Whether a game passes a filter.
    pub(super) fn passes(&self, id: u64, filter: &Filter<'_>) -> Result<bool, DbError> {
        if let Some(game) = self.recent_header(id) {
            return Ok(filter.passes(&game.facts()));
        }
        let game = self.columns_of_game(id, FACTS)?;
        Ok(game.is_some_and(|game| filter.passes(&game.facts())))
    }

    /// A game without its moves and its rarer tags, which is read faster.
    pub(super) fn header(&self, id: u64) -> Result<Option<Game>, DbError> {
        if let Some(game) = self.recent_header(id) {
            return Ok(Some(game));
        }
        let game = self.columns_of_game(id, HEADER)?;
        if let Some(game) = &game {
            self.keep_header(game);
        }
        Ok(game)
    }

    fn columns_of_game(&self, id: u64, columns: &[usize]) -> Result<Option<Game>, DbError> {
        let (table, rows) = self.find(&GAMES, id)?;
        let Some(rows) = rows.first() else {
            return Ok(None);
        };
        Ok(read_columns(&table, rows, columns)?.pop())
    }
}

/// What replaying needs: the number, the ratings, year, result, speed, start and moves.
const LIGHT: &[usize] = &[0, 3, 4, 9, 10, 13, 14, 19];

/// What filters ask for.
const FACTS: &[usize] = &[3, 4, 9, 13];

/// What a list of games shows.
const HEADER: &[usize] = &[0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 13];

/// The rows of games that may have the position, as far as their players and their last positions tell.
fn candidates(
    table: &TableReader,
    rows: &Rows,
    position: &Position,
    filter: &Filter<'_>,
) -> Result<Vec<usize>, DbError> {
    let mut candidates: Vec<usize> = match &filter.player {
        Some(player) => played_by(table, rows, player)?,
        None => rows.range.clone().collect(),
    };
    if candidates.is_empty() {
        return Ok(candidates);
    }
    let material = table.read(rows, game_column::MATERIAL)?;
    let home_pawns = table.read(rows, game_column::HOME_PAWNS)?;
    let wanted = Sketch::of(position.board());
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

/// The rows of games in which a player has the side that is asked for.
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

/// Where a game has a position for the first time, and what was played there.
pub(super) fn look(game: &Game, wanted: &Position) -> Option<PlaceRow> {
    let sketch = Sketch::of(wanted.board());
    let key = wanted.key();
    for (ply, (position, m)) in (0..=u16::MAX).zip(game.plies()) {
        if position.key() == key && position == *wanted {
            return Some(PlaceRow {
                code: Some(MoveCode::new(m)),
                game: game.id,
                ply,
                facts: game.facts(),
            });
        }
        if !sketch.may_follow(&Sketch::of(position.board())) {
            return None;
        }
    }
    None
}
