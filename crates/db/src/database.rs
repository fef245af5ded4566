//! An open database. Tables are opened when they are needed.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::block_cache::BlockCache;
use crate::collect::Batch;
use crate::error::DbError;
use crate::game_ref::GameRef;
use crate::game_row::{Game, Line};
use crate::key::PositionKey;
use crate::manifest::Manifest;
use crate::partition::{Scope, Share, part_of};
use crate::table::{Rows, Schema, TableReader};
use crate::tables::{GAMES, PlaceRow, read_games, tables};

/// How many games a thread reads at a time.
const PIECE: usize = 2048;

/// How many games that were shown stay in memory.
const HEADERS: usize = 4096;

/// A database of games.
///
/// It keeps at most 32 MiB of its files in memory, and the indexes of their pages. Several threads may query it at once.
#[derive(Debug)]
pub struct Database {
    folder: PathBuf,
    manifest: Manifest,
    open: Mutex<HashMap<String, Arc<TableReader>>>,
    blocks: Arc<BlockCache>,
    /// Games that were shown recently, without their moves.
    headers: Mutex<HashMap<GameRef, Game>>,
}

/// What a database holds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Info {
    /// The folder with the Parquet files.
    pub data: PathBuf,
    /// How many games there are.
    pub games: u64,
    /// Which share of the keys is here.
    pub share: Share,
    /// How many parts each table has.
    pub parts: u32,
    /// The tables: name, rows, bytes.
    pub tables: Vec<TableInfo>,
    /// The files that the games were read from.
    pub sources: Vec<String>,
    /// How many games were read, copies included.
    pub games_read: u64,
    /// How many errors they had.
    pub errors: u64,
}

/// What a table holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableInfo {
    /// Its name.
    pub name: &'static str,
    /// How many rows it has.
    pub rows: u64,
    /// How many bytes its files have.
    pub bytes: u64,
}

impl Database {
    /// Opens the database in a folder.
    ///
    /// # Errors
    /// There is none, it has another version, or its manifest is damaged. Damage to other files is found when they are
    /// read.
    pub fn open(folder: &Path) -> Result<Database, DbError> {
        Ok(Database {
            manifest: Manifest::load(folder)?,
            folder: folder.to_owned(),
            open: Mutex::default(),
            blocks: Arc::default(),
            headers: Mutex::default(),
        })
    }

    /// What the database holds.
    #[must_use]
    pub fn info(&self) -> Info {
        let manifest = &self.manifest;
        let table = |schema: &'static Schema| {
            let parts = manifest.parts_of(schema);
            TableInfo {
                name: schema.name,
                rows: parts.iter().map(|part| part.rows).sum(),
                bytes: parts.iter().map(|part| part.bytes).sum(),
            }
        };
        Info {
            data: self.folder.join(&manifest.data),
            games: manifest.games(),
            share: manifest.share().unwrap_or(Share::WHOLE),
            parts: manifest.parts,
            tables: tables(manifest.full).map(table).collect(),
            sources: manifest
                .sources
                .iter()
                .map(|source| source.name.clone())
                .collect(),
            games_read: manifest.games_read,
            errors: manifest.errors,
        }
    }

    /// Whether every position of every game has a row.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.manifest.full
    }

    /// A part of a table by its index among the parts in this folder.
    pub(crate) fn table(
        &self,
        schema: &'static Schema,
        index: usize,
    ) -> Result<Arc<TableReader>, DbError> {
        let parts = self.manifest.parts_of(schema);
        let info = parts.get(index).ok_or(DbError::Thread)?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = open.get(&info.name) {
            return Ok(table.clone());
        }
        let data = self.folder.join(&self.manifest.data);
        let table = Arc::new(TableReader::open(&data, info, schema, &self.blocks)?);
        open.insert(info.name.clone(), table.clone());
        Ok(table)
    }

    /// The rows of a table whose first column lies in a range, and the part that has them. All hashes of the range must
    /// have the same high 32 bits.
    pub(crate) fn find(
        &self,
        schema: &'static Schema,
        hashes: &RangeInclusive<u64>,
    ) -> Result<(Arc<TableReader>, Vec<Rows>), DbError> {
        let share = self.manifest.share().unwrap_or(Share::WHOLE);
        let range = share.parts(self.manifest.parts);
        let part = part_of(*hashes.start(), self.manifest.parts);
        if !range.contains(&part) {
            return Err(DbError::Share {
                path: self.folder.clone(),
                share,
            });
        }
        let table = self.table(schema, (part - range.start) as usize)?;
        // Within a part, all keys have the same sign.
        let rows = table.find(&(hashes.start().cast_signed()..=hashes.end().cast_signed()))?;
        Ok((table, rows))
    }

    /// The rows of a position in `exits` or `occurrences`.
    pub(crate) fn places(
        &self,
        schema: &'static Schema,
        key: PositionKey,
    ) -> Result<Vec<PlaceRow>, DbError> {
        let (table, rows) = self.find(schema, &(key.hash..=key.hash))?;
        let mut places = Vec::new();
        for rows in rows {
            let read = PlaceRow::read(&table, &rows, Some(key))?;
            places.extend(read.into_iter().map(|(_, place)| place));
        }
        Ok(places)
    }

    /// The game with an ID.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn game(&self, id: u64) -> Result<Option<Game>, DbError> {
        let (table, rows) = self.find(&GAMES, &(id..=id))?;
        let Some(rows) = rows.first() else {
            return Ok(None);
        };
        Ok(read_games(&table, rows)?.pop())
    }

    /// Passes all games to `visit`, in the order of their IDs, until it returns false.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn for_each_game(&self, mut visit: impl FnMut(Game) -> bool) -> Result<(), DbError> {
        for part in 0..self.game_parts() {
            let table = self.table(&GAMES, part)?;
            for rows in pieces(&table, &mut 0) {
                if !read_games(&table, &rows)?.into_iter().all(&mut visit) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// A game that was shown recently.
    pub(crate) fn recent_header(&self, game: GameRef) -> Option<Game> {
        let headers = self.headers.lock().unwrap_or_else(PoisonError::into_inner);
        headers.get(&game).cloned()
    }

    /// Remembers a game that is shown: the best games are shown again all along their line.
    pub(crate) fn remember_header(&self, game: GameRef, header: &Game) {
        let mut headers = self.headers.lock().unwrap_or_else(PoisonError::into_inner);
        if headers.len() >= HEADERS {
            headers.clear();
        }
        headers.insert(game, header.clone());
    }

    pub(crate) fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// How many parts of the table of games are in this folder.
    pub(crate) fn game_parts(&self) -> usize {
        self.manifest.parts_of(&GAMES).len()
    }

    /// Passes all games with their positions to `take`, in the order of the table, after skipping the first `skipped`.
    pub(crate) fn for_each_batch(
        &self,
        scope: Scope,
        threads: NonZeroUsize,
        skipped: &mut u64,
        take: &mut dyn FnMut(Batch) -> Result<(), DbError>,
    ) -> Result<(), DbError> {
        for part in 0..self.game_parts() {
            let table = self.table(&GAMES, part)?;
            for pieces in pieces(&table, skipped).chunks(threads.get()) {
                for batch in read_concurrently(&table, pieces, scope) {
                    take(batch?)?;
                }
            }
        }
        Ok(())
    }
}

/// Divides the rows of a part into pieces for threads, without the first `skipped` rows, which it counts down.
fn pieces(table: &TableReader, skipped: &mut u64) -> Vec<Rows> {
    let mut pieces = Vec::new();
    for rows in table.groups() {
        let passed = (*skipped).min(rows.range.len() as u64);
        *skipped -= passed;
        let mut start = rows.range.start + passed as usize;
        while start < rows.range.end {
            let end = (start + PIECE).min(rows.range.end);
            pieces.push(Rows {
                group: rows.group,
                range: start..end,
            });
            start = end;
        }
    }
    pieces
}

/// Reads each piece in its own thread, or in this one if there are no more threads.
fn read_concurrently(
    table: &TableReader,
    pieces: &[Rows],
    scope: Scope,
) -> Vec<Result<Batch, DbError>> {
    let read = |rows: &Rows| read_batch(table, rows, scope);
    thread::scope(|threads| {
        let spawn = |rows| thread::Builder::new().spawn_scoped(threads, move || read(rows));
        let started: Vec<_> = pieces.iter().map(|rows| (rows, spawn(rows))).collect();
        let batches = started.into_iter().map(|(rows, thread)| match thread {
            Ok(thread) => thread.join().unwrap_or(Err(DbError::Thread)),
            Err(_) => read(rows),
        });
        batches.collect()
    })
}

/// Reads games of a table and their positions.
fn read_batch(table: &TableReader, rows: &Rows, scope: Scope) -> Result<Batch, DbError> {
    let mut batch = Batch::default();
    let mut line = Line::default();
    for game in read_games(table, rows)? {
        let Some(start) = game.start() else {
            return Err(table.damaged("a position is invalid"));
        };
        line.begin(&start);
        for (before, m) in game.plies() {
            line.play(&before, m, &before.play_unchecked(m));
        }
        line.finish();
        if line.moves != game.moves {
            return Err(table.damaged("a move is invalid"));
        }
        batch.push(game, &line, &scope);
    }
    Ok(batch)
}
