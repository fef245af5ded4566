//! The four tables of a database: their columns, and the rows that are written to them.

use parquet::data_type::ByteArray;
use tabiya_game::GameResult;

use crate::column::Column;
use crate::entry::Entry;
use crate::error::DbError;
use crate::facts::{Facts, Speed};
use crate::game_ref::{GameRef, IdPrefix};
use crate::game_row::Game;
use crate::key::PositionKey;
use crate::move_code::MoveCode;
use crate::table::{MAX_READ, Rows, Schema, TableReader, TableWriter, Value};

/// One row for each game, sorted by its ID.
pub(crate) static GAMES: Schema = Schema {
    name: "games",
    message: "message games {
        required int64 id;
        optional binary white (utf8);
        optional binary black (utf8);
        optional int32 white_elo;
        optional int32 black_elo;
        optional binary event (utf8);
        optional binary site (utf8);
        optional binary round (utf8);
        optional binary date (utf8);
        optional int32 year;
        required binary result (utf8);
        optional binary eco (utf8);
        optional binary time_control (utf8);
        optional binary speed (utf8);
        optional binary fen (utf8);
        optional binary tags (utf8);
        required binary source (utf8);
        required int64 byte_offset;
        required int32 plies;
        required binary moves;
        required int64 material;
        required int32 home_pawns;
    }",
    // A dictionary of all values of a row group would be large, and would be read whole for every game.
    distinct: &[
        "id",
        "white",
        "black",
        "white_elo",
        "black_elo",
        "event",
        "site",
        "date",
        "moves",
        "byte_offset",
    ],
    page_rows: 256,
    group_rows: 1 << 15,
};

/// Moves that two or more games have in a position, by year, rating and speed.
pub(crate) static TREE: Schema = Schema {
    name: "tree",
    message: "message tree {
        required int64 key;
        required int32 key_check;
        required binary uci (utf8);
        optional int32 year;
        optional int32 rating;
        optional binary speed (utf8);
        required int32 white;
        required int32 draws;
        required int32 black;
        required int64 rating_sum;
        optional int32 game;
    }",
    // A dictionary of the sums would be read whole for every answer.
    distinct: &["key", "key_check", "rating_sum", "game"],
    page_rows: 4096,
    group_rows: 1 << 17,
};

/// The tables of a database, with or without `occurrences`. This is the only list of them.
pub(crate) fn tables(full: bool) -> impl Iterator<Item = &'static Schema> {
    let all = [&GAMES, &TREE, &EXITS].into_iter();
    all.chain(full.then_some(&OCCURRENCES))
}

/// The columns of a table of places in games, with a type for the column `game`.
macro_rules! message {
    ($game:literal) => {
        concat!(
            "message places {
                required int64 key;
                required int32 key_check;
                optional binary uci (utf8);
                required ",
            $game,
            " game;
                required int32 ply;
                required binary result (utf8);
                optional int32 year;
                optional int32 rating;
                optional binary speed (utf8);
            }"
        )
    };
}

/// Moves that only one game has, in positions that other games have too.
pub(crate) static EXITS: Schema = places("exits", message!("int32"));

/// Every position of every game.
pub(crate) static OCCURRENCES: Schema = places("occurrences", message!("int64"));

/// A table of places in games.
const fn places(name: &'static str, message: &'static str) -> Schema {
    Schema {
        name,
        message,
        distinct: &["key", "key_check", "game"],
        page_rows: 4096,
        group_rows: 1 << 17,
    }
}

/// Which optional columns of `tree` an answer needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TreeNeeds {
    pub(crate) speed: bool,
    pub(crate) game: bool,
}

/// A row of `tree`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TreeRow {
    pub(crate) year: Option<u16>,
    /// The lower end of the band.
    pub(crate) rating: Option<u16>,
    pub(crate) speed: Option<Speed>,
    pub(crate) white: u32,
    pub(crate) draws: u32,
    pub(crate) black: u32,
    pub(crate) rating_sum: u64,
    /// The best game with the move, in the first row of the move.
    pub(crate) game: Option<IdPrefix>,
}

/// The positions of some rows.
struct Keys {
    checks: Column,
    /// The hashes, if the rows may have several.
    hashes: Option<Column>,
    wanted: Option<PositionKey>,
}

impl Keys {
    /// Reads the columns that tell positions apart.
    fn read(
        table: &TableReader,
        rows: &Rows,
        wanted: Option<PositionKey>,
    ) -> Result<Keys, DbError> {
        let hashes = match wanted {
            Some(_) => None,
            None => Some(table.read(rows, 0)?),
        };
        Ok(Keys {
            checks: table.read(rows, 1)?,
            hashes,
            wanted,
        })
    }

    /// The position of a row, unless another is wanted.
    fn get(&self, row: usize) -> Option<PositionKey> {
        let check = short(&self.checks, row)?;
        match (self.wanted, &self.hashes) {
            (Some(wanted), _) => (wanted.check == check).then_some(wanted),
            (None, Some(hashes)) => Some(PositionKey {
                hash: long(hashes, row)?.cast_unsigned(),
                check,
            }),
            (None, None) => None,
        }
    }
}

impl TreeRow {
    /// How many games it counts.
    pub(crate) fn count(&self) -> u64 {
        u64::from(self.white) + u64::from(self.draws) + u64::from(self.black)
    }

    pub(crate) fn write(
        &self,
        key: PositionKey,
        code: MoveCode,
        writer: &mut TableWriter,
    ) -> Result<(), DbError> {
        let count = |number: u32| Value::Int(Some(i32::try_from(number).unwrap_or(i32::MAX)));
        writer.push(&[
            Value::Long(Some(key.signed())),
            Value::Int(Some(i32::from(key.check))),
            Value::Text(Some(&code.uci())),
            Value::Int(self.year.map(i32::from)),
            Value::Int(self.rating.map(i32::from)),
            Value::Text(self.speed.map(Speed::word)),
            count(self.white),
            count(self.draws),
            count(self.black),
            Value::Long(Some(self.rating_sum.cast_signed())),
            Value::Int(self.game.map(IdPrefix::signed)),
        ])
    }

    /// Reads the rows of a position, or all of some rows, each with its position and move.
    pub(crate) fn read(
        table: &TableReader,
        rows: &Rows,
        wanted: Option<PositionKey>,
        needs: TreeNeeds,
    ) -> Result<Vec<(PositionKey, MoveCode, TreeRow)>, DbError> {
        let keys = Keys::read(table, rows, wanted)?;
        let columns: Vec<Column> = (2..11)
            .map(|column| match column {
                5 if !needs.speed => Ok(Column::Bytes(Vec::new())),
                10 if !needs.game => Ok(Column::Int(Vec::new())),
                _ => table.read(rows, column),
            })
            .collect::<Result<_, _>>()?;
        let mut found = Vec::new();
        for row in 0..rows.range.len() {
            if let Some(key) = keys.get(row) {
                let (code, tree_row) = TreeRow::of(table, &columns, row)?;
                found.push((key, code, tree_row));
            }
        }
        Ok(found)
    }

    /// A row with its move, from the columns behind the key.
    fn of(
        table: &TableReader,
        columns: &[Column],
        row: usize,
    ) -> Result<(MoveCode, TreeRow), DbError> {
        let [
            codes,
            years,
            ratings,
            speeds,
            white,
            draws,
            black,
            sums,
            games,
        ] = columns
        else {
            return Err(table.damaged("it has other columns"));
        };
        let code = bytes(codes, row).and_then(|uci| MoveCode::from_uci(uci.data()));
        let code = code.ok_or_else(|| table.damaged("a move is invalid"))?;
        let count = |column| {
            let count = u32::try_from(int(column, row).unwrap_or_default());
            count.map_err(|_| table.damaged("a number of games is invalid"))
        };
        let tree_row = TreeRow {
            year: short(years, row),
            rating: short(ratings, row),
            speed: speed(speeds, row),
            white: count(white)?,
            draws: count(draws)?,
            black: count(black)?,
            rating_sum: long(sums, row).unwrap_or_default().cast_unsigned(),
            game: int(games, row).map(IdPrefix::from_signed),
        };
        if tree_row.rating_sum > tree_row.count() * u64::from(u16::MAX) {
            return Err(table.damaged("a sum of ratings is invalid"));
        }
        Ok((code, tree_row))
    }
}

/// A row of `exits` or `occurrences`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlaceRow {
    pub(crate) code: Option<MoveCode>,
    pub(crate) game: GameRef,
    pub(crate) ply: u16,
    pub(crate) facts: Facts,
}

/// Writes an entry as a row of `exits`.
pub(crate) fn write_exit(entry: &Entry, writer: &mut TableWriter) -> Result<(), DbError> {
    let prefix = IdPrefix::of(entry.game());
    write_place(entry, Value::Int(Some(prefix.signed())), writer)
}

/// Writes an entry as a row of `occurrences`.
pub(crate) fn write_occurrence(entry: &Entry, writer: &mut TableWriter) -> Result<(), DbError> {
    let id = entry.game().cast_signed();
    write_place(entry, Value::Long(Some(id)), writer)
}

fn write_place(entry: &Entry, game: Value<'_>, writer: &mut TableWriter) -> Result<(), DbError> {
    let (key, code, facts) = (entry.key(), entry.code(), entry.facts());
    let uci = (code != MoveCode::NONE).then(|| code.uci());
    writer.push(&[
        Value::Long(Some(key.signed())),
        Value::Int(Some(i32::from(key.check))),
        Value::Text(uci.as_deref()),
        game,
        Value::Int(Some(i32::from(entry.ply()))),
        Value::Text(Some(facts.result.as_str())),
        Value::Int(facts.year.map(i32::from)),
        Value::Int(facts.rating.map(i32::from)),
        Value::Text(facts.speed.map(Speed::word)),
    ])
}

impl PlaceRow {
    /// Reads the rows of a position, or all of some rows, each with its position.
    pub(crate) fn read(
        table: &TableReader,
        rows: &Rows,
        wanted: Option<PositionKey>,
    ) -> Result<Vec<(PositionKey, PlaceRow)>, DbError> {
        let keys = Keys::read(table, rows, wanted)?;
        let columns: Vec<Column> = (2..9)
            .map(|column| table.read(rows, column))
            .collect::<Result<_, _>>()?;
        let [codes, games, plies, results, years, ratings, speeds] = columns.as_slice() else {
            return Err(table.damaged("it has other columns"));
        };
        let mut found = Vec::new();
        for row in 0..rows.range.len() {
            let Some(key) = keys.get(row) else {
                continue;
            };
            let code = match bytes(codes, row) {
                None => None,
                Some(uci) => {
                    let code = MoveCode::from_uci(uci.data());
                    Some(code.ok_or_else(|| table.damaged("a move is invalid"))?)
                }
            };
            let place = PlaceRow {
                code,
                game: game_ref(games, row),
                ply: short(plies, row).unwrap_or_default(),
                facts: Facts {
                    result: result(results, row),
                    year: short(years, row),
                    rating: short(ratings, row),
                    speed: speed(speeds, row),
                },
            };
            found.push((key, place));
        }
        Ok(found)
    }
}

/// Writes a game as a row of `games`.
pub(crate) fn write_game(game: &Game, writer: &mut TableWriter) -> Result<(), DbError> {
    fn text(text: &Option<String>) -> Value<'_> {
        Value::Text(text.as_deref())
    }
    writer.push(&[
        Value::Long(Some(game.id.cast_signed())),
        text(&game.white),
        text(&game.black),
        Value::Int(game.white_elo.map(i32::from)),
        Value::Int(game.black_elo.map(i32::from)),
        text(&game.event),
        text(&game.site),
        text(&game.round),
        text(&game.date),
        Value::Int(game.year.map(i32::from)),
        Value::Text(Some(game.result.as_str())),
        text(&game.eco),
        text(&game.time_control),
        Value::Text(game.speed.map(Speed::word)),
        text(&game.fen),
        text(&game.tags),
        Value::Text(Some(&game.source)),
        Value::Long(Some(game.offset.cast_signed())),
        Value::Int(Some(i32::try_from(game.moves.len()).unwrap_or(i32::MAX))),
        Value::Bytes(&game.moves),
        Value::Long(Some(game.material.cast_signed())),
        Value::Int(Some(i32::from(game.home_pawns))),
    ])
}

/// Reads the games of some rows.
pub(crate) fn read_games(table: &TableReader, rows: &Rows) -> Result<Vec<Game>, DbError> {
    const ALL: &[usize] = &[
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 19, 20, 21,
    ];
    read_columns(table, rows, ALL)
}

/// Reads some columns of the games of consecutive rows.
pub(crate) fn read_columns(
    table: &TableReader,
    rows: &Rows,
    wanted: &[usize],
) -> Result<Vec<Game>, DbError> {
    read_games_with(table, rows.range.len(), wanted, |column| {
        table.read(rows, column)
    })
}

/// Reads some columns of the games of single rows, in ascending order.
pub(crate) fn read_some_columns(
    table: &TableReader,
    group: usize,
    rows: &[usize],
    wanted: &[usize],
) -> Result<Vec<Game>, DbError> {
    read_games_with(table, rows.len(), wanted, |column| {
        table.read_single(group, rows, column)
    })
}

/// Reads columns, and sets the fields of the games that they are about.
fn read_games_with(
    table: &TableReader,
    count: usize,
    wanted: &[usize],
    read: impl Fn(usize) -> Result<Column, DbError>,
) -> Result<Vec<Game>, DbError> {
    let mut games = vec![Game::default(); count];
    let mut size = 0;
    for &number in wanted {
        let column = read(number)?;
        size += column.size();
        if size > MAX_READ {
            return Err(table.damaged("its values are too long"));
        }
        for (row, game) in games.iter_mut().enumerate() {
            set_field(game, number, &column, row);
        }
    }
    Ok(games)
}

fn set_field(game: &mut Game, number: usize, column: &Column, row: usize) {
    let text =
        || bytes(column, row).map(|bytes| String::from_utf8_lossy(bytes.data()).into_owned());
    let unsigned = || long(column, row).unwrap_or_default().cast_unsigned();
    match number {
        0 => game.id = unsigned(),
        1 => game.white = text(),
        2 => game.black = text(),
        3 => game.white_elo = short(column, row),
        4 => game.black_elo = short(column, row),
        5 => game.event = text(),
        6 => game.site = text(),
        7 => game.round = text(),
        8 => game.date = text(),
        9 => game.year = short(column, row),
        10 => game.result = result(column, row),
        11 => game.eco = text(),
        12 => game.time_control = text(),
        13 => game.speed = speed(column, row),
        14 => game.fen = text(),
        15 => game.tags = text(),
        16 => game.source = text().unwrap_or_default(),
        17 => game.offset = unsigned(),
        19 => game.moves = bytes(column, row).map_or_else(Vec::new, |bytes| bytes.data().to_vec()),
        20 => game.material = unsigned(),
        21 => game.home_pawns = short(column, row).unwrap_or_default(),
        // The number of plies follows from the moves.
        _ => {}
    }
}

/// The columns of `games` by which games are chosen before the others are read.
pub(crate) mod game_column {
    pub(crate) const WHITE: usize = 1;
    pub(crate) const BLACK: usize = 2;
    pub(crate) const PLIES: usize = 18;
    pub(crate) const MATERIAL: usize = 20;
    pub(crate) const HOME_PAWNS: usize = 21;
}

pub(crate) fn int(column: &Column, row: usize) -> Option<i32> {
    column.ints().get(row).copied().flatten()
}

pub(crate) fn short(column: &Column, row: usize) -> Option<u16> {
    int(column, row).and_then(|number| u16::try_from(number).ok())
}

pub(crate) fn long(column: &Column, row: usize) -> Option<i64> {
    column.longs().get(row).copied().flatten()
}

pub(crate) fn bytes(column: &Column, row: usize) -> Option<&ByteArray> {
    column.bytes().get(row)?.as_ref()
}

fn game_ref(column: &Column, row: usize) -> GameRef {
    match int(column, row) {
        Some(prefix) => GameRef::Prefix(IdPrefix::from_signed(prefix)),
        None => GameRef::Id(long(column, row).unwrap_or_default().cast_unsigned()),
    }
}

fn speed(column: &Column, row: usize) -> Option<Speed> {
    str::from_utf8(bytes(column, row)?.data())
        .ok()?
        .parse()
        .ok()
}

fn result(column: &Column, row: usize) -> GameResult {
    let text = bytes(column, row).and_then(|text| str::from_utf8(text.data()).ok());
    text.and_then(|text| text.parse().ok()).unwrap_or_default()
}
