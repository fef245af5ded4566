//! Makes the parts of the tables from the sorted files: how often each move was played, and where games leave shared
//! ground.

use std::collections::{BTreeMap, VecDeque};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread;

use tabiya_game::GameResult;
use tabiya_store::disk::{Disk, SystemDisk};

use crate::entry::Entry;
use crate::error::DbError;
use crate::facts::Speed;
use crate::game_ref::IdPrefix;
use crate::key::PositionKey;
use crate::manifest::Tables;
use crate::move_code::MoveCode;
use crate::part_file::PartInfo;
use crate::partition::Scope;
use crate::runs::{GameRecord, Merge};
use crate::state::{BuildState, WORK};
use crate::table::{Schema, TableWriter, part_name};
use crate::tables::{
    EXITS, GAMES, OCCURRENCES, TREE, TreeRow, tables, write_exit, write_game, write_occurrence,
};

/// A unit of work for one thread.
#[derive(Clone, Copy, Debug)]
enum PartJob {
    Positions(u32),
    Games(u32),
}

/// Writes the parts that are not complete yet, on several threads.
pub(super) fn write(
    folder: &Path,
    state: &BuildState,
    scope: Scope,
    threads: NonZeroUsize,
    report: &(dyn Fn(u64, u64) + Sync),
) -> Result<Tables, DbError> {
    let data = folder.join(&state.data);
    for schema in tables(scope.full) {
        let path = data.join(schema.name);
        SystemDisk
            .make_folder(&path)
            .map_err(|error| DbError::io(&path, &error))?;
    }
    let range = scope.share.parts(scope.parts);
    let queue = PartQueue::new(range.clone(), state);
    let work = || {
        while let Some(job) = queue.next(report) {
            queue.record(folder, write_part(folder, &data, state, scope, job));
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.get() {
            // If a thread cannot be started, the others do its work.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    let state = queue.into_state()?;
    let parts = |schema: &Schema| {
        let info = |part| {
            let info = state.done.get(&part_name(schema, part));
            info.cloned().ok_or(DbError::Thread)
        };
        let parts: Result<Vec<PartInfo>, DbError> = range.clone().map(info).collect();
        Ok((schema.name.to_owned(), parts?))
    };
    tables(scope.full).map(parts).collect()
}

/// The jobs that are left, and what came of the others. Threads share it.
struct PartQueue {
    shared: Mutex<QueueState>,
    /// The number of all jobs.
    total: u64,
}

struct QueueState {
    jobs: VecDeque<PartJob>,
    state: BuildState,
    failure: Option<DbError>,
    finished: u64,
}

impl PartQueue {
    fn new(parts: Range<u32>, state: &BuildState) -> PartQueue {
        let games = parts.clone().map(PartJob::Games);
        let jobs: VecDeque<PartJob> = parts.map(PartJob::Positions).chain(games).collect();
        PartQueue {
            total: jobs.len() as u64,
            shared: Mutex::new(QueueState {
                jobs,
                state: state.clone(),
                failure: None,
                finished: 0,
            }),
        }
    }

    /// The next job, unless one has failed.
    fn next(&self, report: &(dyn Fn(u64, u64) + Sync)) -> Option<PartJob> {
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        report(shared.finished, self.total);
        shared.jobs.pop_front().filter(|_| shared.failure.is_none())
    }

    /// Records the outcome of a job, so that an interrupted build does not repeat it.
    fn record(&self, folder: &Path, outcome: Result<Vec<PartInfo>, DbError>) {
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        shared.finished += 1;
        let saved = outcome.and_then(|infos| {
            if infos.is_empty() {
                return Ok(());
            }
            for info in infos {
                shared.state.done.insert(info.name.clone(), info);
            }
            shared.state.save(folder)
        });
        if let Err(error) = saved {
            shared.failure.get_or_insert(error);
        }
    }

    /// The state after all jobs, or the first failure.
    fn into_state(self) -> Result<BuildState, DbError> {
        let shared = self.shared.into_inner();
        let shared = shared.unwrap_or_else(PoisonError::into_inner);
        shared.failure.map_or(Ok(shared.state), Err)
    }
}

/// Writes the parts of a job, unless they are complete.
fn write_part(
    folder: &Path,
    data: &Path,
    state: &BuildState,
    scope: Scope,
    job: PartJob,
) -> Result<Vec<PartInfo>, DbError> {
    let work = folder.join(WORK);
    match job {
        PartJob::Games(part) => {
            if state.done.contains_key(&part_name(&GAMES, part)) {
                return Ok(Vec::new());
            }
            let games = Merge::open(&work, &state.games, part..part + 1)?;
            Ok(vec![write_games(games, data, part)?])
        }
        PartJob::Positions(part) => {
            // The other tables of this part are recorded together with the tree.
            if state.done.contains_key(&part_name(&TREE, part)) {
                return Ok(Vec::new());
            }
            let mut entries = Merge::<Entry>::open(&work, &state.entries, part..part + 1)?;
            let mut writer = PositionWriter::create(data, part, scope)?;
            while let Some(entry) = entries.next()? {
                writer.add(&entry)?;
            }
            writer.finish()
        }
    }
}

fn write_games(mut games: Merge<GameRecord>, data: &Path, part: u32) -> Result<PartInfo, DbError> {
    let mut writer = TableWriter::create(data, &GAMES, part)?;
    let mut last = None;
    while let Some(record) = games.next()? {
        // Skips copies of a game.
        if last.replace(record.game.id) != Some(record.game.id) {
            write_game(&record.game, &mut writer)?;
        }
    }
    writer.finish()
}

/// Writes what was played in each position of a part, position by position.
struct PositionWriter {
    tree: TableWriter,
    exits: TableWriter,
    occurrences: Option<TableWriter>,
    /// The current position, and the moves that were played there.
    key: Option<PositionKey>,
    moves: Vec<Played>,
    /// The move and the game of the last entry.
    last: Option<(MoveCode, u64)>,
}

/// A year, a band of ratings and a speed.
type Cell = (Option<u16>, Option<u16>, Option<Speed>);

/// A move that was played in the position.
struct Played {
    code: MoveCode,
    /// The first entry with it.
    first: Entry,
    games: u64,
    cells: BTreeMap<Cell, TreeRow>,
    /// The rank of the best game.
    best: (u16, u16, u64),
}

impl PositionWriter {
    fn create(data: &Path, part: u32, scope: Scope) -> Result<PositionWriter, DbError> {
        let occurrences = match scope.full {
            true => Some(TableWriter::create(data, &OCCURRENCES, part)?),
            false => None,
        };
        Ok(PositionWriter {
            tree: TableWriter::create(data, &TREE, part)?,
            exits: TableWriter::create(data, &EXITS, part)?,
            occurrences,
            key: None,
            moves: Vec::new(),
            last: None,
        })
    }

    /// Adds an entry. Those of a position come one after another, sorted by their moves.
    fn add(&mut self, entry: &Entry) -> Result<(), DbError> {
        let key = entry.key();
        if self.key != Some(key) {
            self.flush()?;
            self.key = Some(key);
        }
        let place = (entry.code(), entry.game());
        // Skips copies of a game.
        if self.last.replace(place) == Some(place) {
            return Ok(());
        }
        if let Some(occurrences) = &mut self.occurrences {
            write_occurrence(entry, occurrences)?;
        }
        if place.0 == MoveCode::NONE || entry.facts().result == GameResult::Unknown {
            return Ok(());
        }
        match self.moves.last_mut() {
            Some(played) if played.code == place.0 => played.count(entry),
            _ => {
                let mut played = Played {
                    code: place.0,
                    first: *entry,
                    games: 0,
                    cells: BTreeMap::new(),
                    best: (0, 0, 0),
                };
                played.count(entry);
                self.moves.push(played);
            }
        }
        Ok(())
    }

    /// Writes the rows of the position once all of its entries were added.
    fn flush(&mut self) -> Result<(), DbError> {
        self.last = None;
        let Some(key) = self.key.take() else {
            return Ok(());
        };
        // A position of a single game is found in that game.
        let is_shared = self.moves.iter().map(|played| played.games).sum::<u64>() > 1;
        for played in self.moves.drain(..) {
            if played.games == 1 {
                if is_shared {
                    write_exit(&played.first, &mut self.exits)?;
                }
                continue;
            }
            let mut best = Some(IdPrefix::of(played.best.2));
            for mut row in played.cells.into_values() {
                row.game = best.take();
                row.write(key, played.code, &mut self.tree)?;
            }
        }
        Ok(())
    }

    /// Completes the tables.
    fn finish(mut self) -> Result<Vec<PartInfo>, DbError> {
        self.flush()?;
        let mut infos = vec![self.tree.finish()?, self.exits.finish()?];
        if let Some(occurrences) = self.occurrences {
            infos.push(occurrences.finish()?);
        }
        Ok(infos)
    }
}

impl Played {
    /// Counts a game with the move.
    fn count(&mut self, entry: &Entry) {
        self.games += 1;
        match self.games {
            // Most moves were played in one game only and need no counts.
            1 => return,
            2 => {
                let first = self.first;
                self.add_to_cell(&first);
            }
            _ => {}
        }
        self.add_to_cell(entry);
    }

    /// Adds a game to the row for its year, ratings and speed.
    fn add_to_cell(&mut self, entry: &Entry) {
        let facts = entry.facts();
        let cell = (facts.year, facts.band(), facts.speed);
        let row = self.cells.entry(cell).or_insert_with(|| TreeRow {
            year: cell.0,
            rating: cell.1,
            speed: cell.2,
            ..TreeRow::default()
        });
        match facts.result {
            GameResult::WhiteWins => row.white += 1,
            GameResult::Draw => row.draws += 1,
            GameResult::BlackWins => row.black += 1,
            GameResult::Unknown => {}
        }
        row.rating_sum += u64::from(facts.rating.unwrap_or_default());
        self.best = self.best.max(facts.rank(entry.game()));
    }
}
