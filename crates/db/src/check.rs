//! Whether a database is what its files once were, and whether its tables agree with each other.
//!
//! Every position of every game is counted again, and compared with `tree`, `exits` and `occurrences` by sums of hashes,
//! for as many parts at a time as fit into memory.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use tabiya_game::GameResult;

use crate::database::Database;
use crate::error::DbError;
use crate::facts::{Facts, Speed};
use crate::game_ref::{GameRef, IdPrefix};
use crate::game_row::{Game, Line, complete};
use crate::key::{PositionKey, mix};
use crate::move_code::MoveCode;
use crate::partition::{Share, part_of};
use crate::table::{Rows, Schema, TableReader};
use crate::tables::{
    EXITS, GAMES, OCCURRENCES, PlaceRow, TREE, TreeNeeds, TreeRow, game_column, int, read_games,
    tables,
};

/// How many rows are read at a time.
const PIECE: usize = 1024;

/// How many rows of `tree` and `exits` are counted again at a time.
const COUNTED: u64 = 1 << 20;

impl Database {
    /// Checks that no byte of the files has changed, that rows are in order and in their part, that every game can be
    /// replayed and has the ID and the features that follow from its moves, and that the other tables say what the games
    /// say. The last is not possible for a share of a database, whose games are elsewhere.
    ///
    /// # Errors
    /// The first damage that is found.
    pub fn check(&self) -> Result<(), DbError> {
        let manifest = self.manifest();
        for schema in tables(manifest.full) {
            for index in 0..manifest.parts_of(schema).len() {
                self.table(schema, index)?.check()?;
            }
        }
        let share = manifest.share().unwrap_or(Share::WHOLE);
        let parts = share.parts(manifest.parts);
        for part in parts.clone() {
            let index = (part - parts.start) as usize;
            for schema in tables(manifest.full) {
                let table = self.table(schema, index)?;
                check_order(&table, part, manifest.parts)?;
                check_texts(&table, schema)?;
            }
            let table = self.table(&GAMES, index)?;
            for_pieces(&table, |rows| check_games(&table, rows))?;
        }
        if share != Share::WHOLE {
            return Ok(());
        }
        let mut from = 0;
        while from < manifest.parts {
            let rows = |part: u32| {
                let of = |schema| manifest.parts_of(schema).get(part as usize);
                let infos = [of(&TREE), of(&EXITS)].into_iter().flatten();
                infos.map(|info| info.rows).sum::<u64>()
            };
            let (mut to, mut counted) = (from + 1, rows(from));
            while to < manifest.parts && counted + rows(to) <= COUNTED {
                counted += rows(to);
                to += 1;
            }
            Recount::new(self, from..to)?.run()?;
            from = to;
        }
        Ok(())
    }
}

/// Calls something for all rows of a part, some at a time.
fn for_pieces(
    table: &TableReader,
    mut each: impl FnMut(&Rows) -> Result<(), DbError>,
) -> Result<(), DbError> {
    for rows in table.groups() {
        for start in rows.range.clone().step_by(PIECE) {
            let end = rows.range.end.min(start + PIECE);
            let group = rows.group;
            let range = start..end;
            each(&Rows { group, range })?;
        }
    }
    Ok(())
}

/// Checks that the rows are sorted by the first column, belong to the part, and are found.
fn check_order(table: &TableReader, part: u32, parts: u32) -> Result<(), DbError> {
    let mut last = None;
    for_pieces(table, |rows| {
        for &key in table.read(rows, 0)?.longs() {
            if key < last || part_of(key.unwrap_or_default().cast_unsigned(), parts) != part {
                return Err(table.damaged("a row is in the wrong place"));
            }
            last = key;
        }
        Ok(())
    })?;
    table.check_bounds()
}

/// Checks that texts are texts, and that results and speeds are known words.
fn check_texts(table: &TableReader, schema: &Schema) -> Result<(), DbError> {
    let columns = table.texts();
    for_pieces(table, |rows| {
        for (column, name) in &columns {
            for value in table.read(rows, *column)?.bytes().iter().flatten() {
                let text = str::from_utf8(value.data());
                let is_right = text.is_ok_and(|text| match *name {
                    "result" => text.parse::<GameResult>().is_ok(),
                    "speed" => Speed::ALL.iter().any(|speed| speed.word() == text),
                    _ => true,
                });
                if !is_right {
                    let what = format!("a value of {name} in {} is invalid", schema.name);
                    return Err(table.damaged(&what));
                }
            }
        }
        Ok(())
    })
}

/// Checks that each game can be replayed and says what follows from its moves.
fn check_games(table: &TableReader, rows: &Rows) -> Result<(), DbError> {
    let plies = table.read(rows, game_column::PLIES)?;
    let mut line = Line::default();
    for (row, game) in read_games(table, rows)?.into_iter().enumerate() {
        replay(table, &game, &mut line)?;
        let mut made_again = game.clone();
        complete(&mut made_again, &mut line);
        if made_again != game || int(&plies, row) != i32::try_from(game.moves.len()).ok() {
            return Err(table.damaged("a game has other moves than it says"));
        }
    }
    Ok(())
}

/// Plays the moves of a game.
fn replay(table: &TableReader, game: &Game, line: &mut Line) -> Result<(), DbError> {
    let start = game.start();
    line.begin(&start.ok_or_else(|| table.damaged("a position is invalid"))?);
    for (before, m) in game.plies() {
        line.play(&before, m, &before.play_unchecked(m));
    }
    if line.moves != game.moves {
        return Err(table.damaged("a move is invalid"));
    }
    Ok(())
}

/// What rows say of a move, less what the games that were replayed say of it.
#[derive(Default)]
struct Tally {
    games: u64,
    rating_sum: u64,
    /// The sum of the hashes of what games count by.
    hash: u64,
    /// The game that the rows name, and the best one that was replayed.
    game: Option<IdPrefix>,
    best: Option<(u16, u16, u64)>,
    is_exit: bool,
}

/// A count of all games for some parts.
struct Recount<'a> {
    database: &'a Database,
    parts: Range<u32>,
    moves: HashMap<(PositionKey, MoveCode), Tally>,
    positions: HashSet<PositionKey>,
    /// The number of rows of `occurrences` and the sum of their hashes, less those of the games.
    occurrences: (u64, u64),
}

impl<'a> Recount<'a> {
    /// Counts what the rows of some parts say, to be compared with the games.
    fn new(database: &'a Database, parts: Range<u32>) -> Result<Recount<'a>, DbError> {
        let mut recount = Recount {
            database,
            parts: parts.clone(),
            moves: HashMap::new(),
            positions: HashSet::new(),
            occurrences: (0, 0),
        };
        for part in parts {
            let tree = database.table(&TREE, part as usize)?;
            for_pieces(&tree, |rows| recount.read_tree(&tree, rows))?;
            let exits = database.table(&EXITS, part as usize)?;
            for_pieces(&exits, |rows| recount.read_exits(&exits, rows))?;
            if database.is_full() {
                let table = database.table(&OCCURRENCES, part as usize)?;
                for_pieces(&table, |rows| {
                    for (key, place) in PlaceRow::read(&table, rows, None)? {
                        let code = place.code.unwrap_or(MoveCode::NONE);
                        let id = *place.game.ids().start();
                        recount.occurrence(key, code, place.ply, id, &place.facts, 1);
                    }
                    Ok(())
                })?;
            }
        }
        Ok(recount)
    }

    /// Counts what rows of `tree` say.
    fn read_tree(&mut self, table: &Arc<TableReader>, rows: &Rows) -> Result<(), DbError> {
        const ALL: TreeNeeds = TreeNeeds {
            speed: true,
            game: true,
        };
        for (key, code, row) in TreeRow::read(table, rows, None, ALL)? {
            self.positions.insert(key);
            let tally = self.moves.entry((key, code)).or_default();
            // The first row of a move names a game, and no other row does.
            if (tally.games == 0) != row.game.is_some() || row.count() == 0 {
                return Err(table.damaged("a move has no best game, or several"));
            }
            tally.game = tally.game.or(row.game);
            for (result, count) in [
                (GameResult::WhiteWins, row.white),
                (GameResult::Draw, row.draws),
                (GameResult::BlackWins, row.black),
            ] {
                let hash = hash_of(&Facts {
                    result,
                    year: row.year,
                    speed: row.speed,
                    rating: row.rating,
                });
                tally.hash = tally.hash.wrapping_add(hash.wrapping_mul(u64::from(count)));
            }
            tally.games += row.count();
            tally.rating_sum = tally.rating_sum.wrapping_add(row.rating_sum);
        }
        Ok(())
    }

    /// Counts what rows of `exits` say.
    fn read_exits(&mut self, table: &Arc<TableReader>, rows: &Rows) -> Result<(), DbError> {
        for (key, place) in PlaceRow::read(table, rows, None)? {
            let GameRef::Prefix(game) = place.game else {
                return Err(table.damaged("it has other columns"));
            };
            self.positions.insert(key);
            let tally = Tally {
                games: 1,
                rating_sum: u64::from(place.facts.rating.unwrap_or_default()),
                hash: hash_of(&place.facts).wrapping_add(mix(u64::from(place.ply))),
                game: Some(game),
                best: None,
                is_exit: true,
            };
            let code = place.code.unwrap_or(MoveCode::NONE);
            if self.moves.insert((key, code), tally).is_some() {
                return Err(table.damaged("a move has several rows"));
            }
        }
        Ok(())
    }

    /// Counts a row of `occurrences`, or a position of a game.
    fn occurrence(
        &mut self,
        key: PositionKey,
        code: MoveCode,
        ply: u16,
        game: u64,
        facts: &Facts,
        sign: u64,
    ) {
        let words = [
            key.hash,
            u64::from(key.check) << 32 | u64::from(code.0) << 16 | u64::from(ply),
            game,
            hash_of(facts),
        ];
        let hash = words.into_iter().fold(0, |hash, word| mix(hash ^ word));
        let (rows, sum) = &mut self.occurrences;
        *rows = rows.wrapping_add(sign);
        *sum = sum.wrapping_add(hash.wrapping_mul(sign));
    }

    /// Replays all games, and compares.
    fn run(mut self) -> Result<(), DbError> {
        let mut line = Line::default();
        for index in 0..self.database.game_parts() {
            let table = self.database.table(&GAMES, index)?;
            for_pieces(&table, |rows| {
                for game in read_games(&table, rows)? {
                    replay(&table, &game, &mut line)?;
                    line.finish();
                    self.count(&game, &line)?;
                }
                Ok(())
            })?;
        }
        if self.occurrences != (0, 0) {
            return Err(self.disagreement(&OCCURRENCES, self.parts.start));
        }
        for ((key, _), tally) in &self.moves {
            let best = tally.best.map(|(_, _, id)| IdPrefix::of(id));
            if (tally.games, tally.rating_sum, tally.hash) != (0, 0, 0) || tally.game != best {
                let schema = if tally.is_exit { &EXITS } else { &TREE };
                return Err(
                    self.disagreement(schema, part_of(key.hash, self.database.info().parts))
                );
            }
        }
        Ok(())
    }

    /// Takes off what a game says, so that nothing is left in the end.
    fn count(&mut self, game: &Game, line: &Line) -> Result<(), DbError> {
        let facts = game.facts();
        let parts = self.database.manifest().parts;
        for place in &line.places {
            let part = part_of(place.key.hash, parts);
            if !self.parts.contains(&part) {
                continue;
            }
            if self.database.is_full() {
                self.occurrence(place.key, place.code, place.ply, game.id, &facts, u64::MAX);
            }
            if place.code == MoveCode::NONE || facts.result == GameResult::Unknown {
                continue;
            }
            let Some(tally) = self.moves.get_mut(&(place.key, place.code)) else {
                // What one game alone has is in no table.
                if self.positions.contains(&place.key) {
                    return Err(self.disagreement(&EXITS, part));
                }
                continue;
            };
            let hash = if tally.is_exit {
                hash_of(&facts).wrapping_add(mix(u64::from(place.ply)))
            } else {
                hash_of(&Facts {
                    rating: facts.band(),
                    ..facts
                })
            };
            tally.games = tally.games.wrapping_sub(1);
            tally.hash = tally.hash.wrapping_sub(hash);
            let rating = u64::from(facts.rating.unwrap_or_default());
            tally.rating_sum = tally.rating_sum.wrapping_sub(rating);
            tally.best = tally.best.max(Some(facts.rank(game.id)));
        }
        Ok(())
    }

    /// A table does not say what the games say.
    fn disagreement(&self, schema: &'static Schema, part: u32) -> DbError {
        match self.database.table(schema, part as usize) {
            Ok(table) => table.damaged("it does not agree with the games"),
            Err(error) => error,
        }
    }
}

/// A hash of what a game counts by.
fn hash_of(facts: &Facts) -> u64 {
    let number = |number: Option<u16>| number.map_or(0, |number| u64::from(number) + 1);
    let speed = facts.speed.map_or(7, |speed| speed as u64);
    let result = facts.result as u64;
    mix(mix(number(facts.year) << 40 | number(facts.rating) << 16 | speed << 8 | result) ^ 1)
}

#[cfg(test)]
mod tests;
