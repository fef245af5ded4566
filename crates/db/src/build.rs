//! Builds a database: games are read and sorted into files, and threads turn these into the parts of the tables.

mod parts;
mod sorters;

use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use tabiya_store::disk::{Disk, FileLock, SystemDisk};

use self::sorters::{Chunk, Sorters};
use crate::collect::{Batch, ReadFrom};
use crate::database::Database;
use crate::error::DbError;
use crate::manifest::{self, Manifest, Source, Tables, VERSION};
use crate::partition::{Scope, Share};
use crate::runs::{FAN_IN, GameRecord, combine};
use crate::state::{BuildPlan, BuildState, Checkpoint, WORK};

/// How a database is built.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BuildOptions {
    /// Which share of the keys is built.
    pub share: Share,
    /// Whether every position of every game gets a row.
    pub full: bool,
    /// About how many bytes of memory the build may use.
    pub memory: usize,
    /// How many threads sort and write.
    pub threads: NonZeroUsize,
    /// Whether to discard what an interrupted build left behind.
    pub restart: bool,
}

impl Default for BuildOptions {
    fn default() -> BuildOptions {
        BuildOptions {
            share: Share::WHOLE,
            full: false,
            memory: 512 << 20,
            threads: NonZeroUsize::MIN,
            restart: false,
        }
    }
}

/// A file that games are read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile(Source);

impl SourceFile {
    /// A file that can be read again. Its games name `name` as their source.
    ///
    /// # Errors
    /// There is no such file.
    pub fn new(path: &Path, name: &str) -> Result<SourceFile, DbError> {
        let about = fs::metadata(path).map_err(|error| DbError::io(path, &error))?;
        let modified = about.modified().ok();
        let modified = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        Ok(SourceFile(Source {
            name: name.to_owned(),
            bytes: about.is_file().then_some(about.len()),
            modified: modified.map(|time| time.as_secs()),
        }))
    }

    /// Something that can be read only once.
    #[must_use]
    pub fn pipe(name: &str) -> SourceFile {
        SourceFile(Source {
            name: name.to_owned(),
            bytes: None,
            modified: None,
        })
    }
}

/// The result of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Built {
    /// How many games were read.
    pub read: u64,
    /// How many games the database has.
    pub games: u64,
    /// How many games it had before.
    pub before: u64,
    /// How many errors the games had that were read.
    pub errors: u64,
}

/// A database that is being built.
///
/// Until [`Builder::finish`] returns, the folder keeps the database it had before, or none.
#[derive(Debug)]
pub struct Builder {
    folder: PathBuf,
    work: PathBuf,
    options: BuildOptions,
    scope: Scope,
    state: BuildState,
    bases: Vec<PathBuf>,
    /// How many games the database had before.
    before: u64,
    /// How much was read. The state reaches this only when it is sorted.
    reached: Checkpoint,
    chunk: Chunk,
    chunk_bytes: usize,
    sorters: Sorters,
    _lock: FileLock,
}

impl Builder {
    /// Begins a new database in a folder that is empty or does not exist, or resumes an interrupted build.
    ///
    /// # Errors
    /// The folder has a database or other files in it, a build of other files was interrupted there, or a file cannot be
    /// used.
    pub fn create(
        folder: &Path,
        sources: Vec<SourceFile>,
        options: BuildOptions,
    ) -> Result<Builder, DbError> {
        Builder::begin(folder, Vec::new(), sources, options)
    }

    /// Begins to add games to a database.
    ///
    /// # Errors
    /// The same as [`Builder::create`]; also if there is no database, or only a share of one.
    pub fn extend(
        folder: &Path,
        sources: Vec<SourceFile>,
        mut options: BuildOptions,
    ) -> Result<Builder, DbError> {
        let manifest = Manifest::load(folder)?;
        check_not_a_share(folder, &manifest)?;
        options.full = manifest.full;
        Builder::begin(folder, vec![folder.to_owned()], sources, options)
    }

    /// Begins a new database with the games of several others.
    ///
    /// # Errors
    /// The same as [`Builder::create`]; also if one of the others cannot be used or is only a share.
    pub fn merge(
        folder: &Path,
        others: &[PathBuf],
        options: BuildOptions,
    ) -> Result<Builder, DbError> {
        Builder::begin(folder, others.to_vec(), Vec::new(), options)
    }

    /// Begins a build on top of other databases, which may include the one in the folder, or resumes it.
    fn begin(
        folder: &Path,
        bases: Vec<PathBuf>,
        sources: Vec<SourceFile>,
        options: BuildOptions,
    ) -> Result<Builder, DbError> {
        let extends = bases.iter().any(|base| base == folder);
        if !extends {
            check_place(folder)?;
        }
        let lock = lock_folder(folder)?;
        remove_drafts(folder);
        let mut before = 0;
        let mut based_on = Vec::new();
        for base in &bases {
            let manifest = Manifest::load(base)?;
            check_not_a_share(base, &manifest)?;
            if base == folder {
                before = manifest.games();
            }
            based_on.push((base.clone(), manifest.data));
        }
        let scope = Scope::new(options.share, options.full);
        let plan = BuildPlan {
            version: (VERSION, env!("CARGO_PKG_VERSION").to_owned()),
            bases: based_on,
            sources: sources.into_iter().map(|source| source.0).collect(),
            parts: scope.parts,
            share: [scope.share.number(), scope.share.of()],
            full: scope.full,
        };
        let state = resume_or_begin(folder, plan, options.restart)?;
        let work = folder.join(WORK);
        let threads = options.threads.get();
        Ok(Builder {
            folder: folder.to_owned(),
            sorters: Sorters::start(threads, &work, scope.parts, state.entries.len()),
            chunk_bytes: chunk_bytes(&options),
            reached: state.checkpoint.clone(),
            work,
            options,
            scope,
            state,
            bases,
            before,
            chunk: Chunk::default(),
            _lock: lock,
        })
    }

    /// Which rows the database will have. Collectors need it.
    #[must_use]
    pub fn scope(&self) -> Scope {
        self.scope
    }

    /// Whether this resumes an interrupted build.
    #[must_use]
    pub fn is_resumed(&self) -> bool {
        self.state.is_read || self.state.checkpoint != Checkpoint::default()
    }

    /// Where to continue reading the file of this name; `None` if it was read completely.
    #[must_use]
    pub fn remaining(&self, name: &str) -> Option<ReadFrom> {
        if self.state.is_read {
            return None;
        }
        let sources = &self.state.plan.sources;
        let index = sources.iter().position(|source| source.name == name)?;
        let checkpoint = &self.state.checkpoint;
        match index.cmp(&checkpoint.source) {
            std::cmp::Ordering::Less => None,
            std::cmp::Ordering::Greater => Some(ReadFrom::Beginning),
            std::cmp::Ordering::Equal => Some(
                checkpoint
                    .offset
                    .map_or(ReadFrom::Beginning, ReadFrom::Behind),
            ),
        }
    }

    /// Reads the games of the databases that this one is based on. Calls `report` with the games read so far and their
    /// total.
    ///
    /// # Errors
    /// One of them cannot be read, or a sorted file cannot be written.
    pub fn read_bases(&mut self, report: &mut dyn FnMut(u64, u64)) -> Result<(), DbError> {
        let databases: Vec<Database> = self
            .bases
            .iter()
            .map(|base| Database::open(base))
            .collect::<Result<_, _>>()?;
        let total = databases.iter().map(|database| database.info().games).sum();
        if self.state.is_read {
            return Ok(());
        }
        let mut skipped = self.reached.base_games;
        for database in &databases {
            database.for_each_batch(
                self.scope,
                self.options.threads,
                &mut skipped,
                &mut |batch| {
                    self.reached.base_games += batch.read;
                    report(self.reached.base_games, total);
                    self.add_to_chunk(batch)
                },
            )?;
        }
        Ok(())
    }

    /// Adds games that were read from a file. Batches must be added in the order of the files.
    ///
    /// # Errors
    /// A sorted file cannot be written.
    pub fn add(&mut self, batch: Batch) -> Result<(), DbError> {
        let sources = &self.state.plan.sources;
        if let Some(source) = sources
            .iter()
            .position(|source| *source.name == *batch.source)
            && source != self.reached.source
        {
            self.reached.source = source;
            self.reached.offset = None;
        }
        if batch.last.is_some() {
            self.reached.offset = batch.last;
        }
        self.reached.errors += batch.errors;
        self.add_to_chunk(batch)
    }

    /// Adds a batch to the current chunk. If that is full then, it is passed on.
    fn add_to_chunk(&mut self, batch: Batch) -> Result<(), DbError> {
        let first = self.reached.games;
        self.reached.games += batch.read;
        let entries = batch
            .entries
            .into_iter()
            .map(|entry| entry.with_sequence_offset(first));
        self.chunk.entries.extend(entries);
        for (number, game) in batch.games {
            let record = GameRecord {
                sequence: first + number,
                game,
            };
            self.chunk.bytes += record.size();
            self.chunk.games.push(record);
        }
        if self.chunk.size() >= self.chunk_bytes {
            self.flush()?;
        }
        Ok(())
    }

    /// Passes what was read to a thread that sorts it, and records what has been sorted since.
    fn flush(&mut self) -> Result<(), DbError> {
        let mut chunk = std::mem::take(&mut self.chunk);
        chunk.reached = self.reached.clone();
        self.sorters.sort(chunk)?;
        self.commit()
    }

    /// Records what is sorted, in the order in which it was read.
    fn commit(&mut self) -> Result<(), DbError> {
        let mut is_changed = false;
        while let Some(sorted) = self.sorters.next_sorted()? {
            self.state.entries.push(sorted.entries);
            self.state.games.push(sorted.games);
            self.state.checkpoint = sorted.reached;
            is_changed = true;
        }
        if is_changed {
            self.state.save(&self.folder)?;
        }
        Ok(())
    }

    /// Completes the database. Calls `report` with the parts written so far and their total.
    ///
    /// # Errors
    /// A file cannot be written. Starting the same build again resumes it.
    pub fn finish(mut self, report: &(dyn Fn(u64, u64) + Sync)) -> Result<Built, DbError> {
        if !self.state.is_read {
            if self.chunk.size() > 0 {
                self.flush()?;
            }
            self.sorters.wait()?;
            self.commit()?;
            self.state.checkpoint = self.reached.clone();
            self.state.is_read = true;
            self.state.save(&self.folder)?;
        }
        self.merge_runs()?;
        let tables = parts::write(
            &self.folder,
            &self.state,
            self.scope,
            self.options.threads,
            report,
        )?;
        self.publish(tables)
    }

    /// Merges sorted files until they are few enough to make the tables from in one pass.
    fn merge_runs(&mut self) -> Result<(), DbError> {
        let mut number = 0;
        while self.state.entries.len() > FAN_IN {
            let entries: Vec<_> = self.state.entries.drain(..FAN_IN).collect();
            let games: Vec<_> = self.state.games.drain(..FAN_IN).collect();
            // A name that the state does not know yet, so that an interruption costs nothing.
            let left = self.state.entries.len();
            let name = |kind: &str| format!("{kind}-{left}-{number}");
            let (parts, work) = (self.scope.parts, &self.work);
            let merged =
                combine::<crate::entry::Entry>(work, &name("entries-merged"), parts, &entries)?;
            self.state.entries.push(merged);
            let merged = combine::<GameRecord>(work, &name("games-merged"), parts, &games)?;
            self.state.games.push(merged);
            self.state.save(&self.folder)?;
            for run in entries.iter().chain(&games) {
                // What cannot be removed now is removed with the folder.
                let _ = fs::remove_file(work.join(&run.name));
            }
            number += 1;
        }
        Ok(())
    }

    /// Makes the new tables the database, and removes the old data.
    fn publish(self, tables: Tables) -> Result<Built, DbError> {
        let old = Manifest::load(&self.folder).ok();
        let mut sources = Vec::new();
        for base in &self.bases {
            sources.extend(Manifest::load(base)?.sources);
        }
        sources.extend(self.state.plan.sources.iter().cloned());
        let manifest = Manifest {
            data: self.state.data.clone(),
            parts: self.scope.parts,
            share: [self.scope.share.number(), self.scope.share.of()],
            full: self.scope.full,
            zobrist_seed: ZOBRIST_SEED.to_owned(),
            sources,
            games_read: self.state.checkpoint.games,
            errors: self.state.checkpoint.errors,
            tables,
        };
        let data = self.folder.join(&manifest.data);
        sync_data(&data)?;
        manifest.publish(&self.folder)?;
        if let Some(old) = old {
            // Readers keep the old files that they have open. What cannot be removed now is removed by the next build.
            let _ = fs::remove_dir_all(self.folder.join(old.data));
        }
        let _ = fs::remove_dir_all(&self.work);
        Ok(Built {
            read: self.state.checkpoint.games - self.state.checkpoint.base_games,
            games: manifest.games(),
            before: self.before,
            errors: manifest.errors,
        })
    }
}

/// The seed of the Zobrist numbers, as the manifest names it.
pub(crate) const ZOBRIST_SEED: &str = "0x0074616269796131";

/// Waits until the folders of the data, and the names in them, are on disk.
pub(crate) fn sync_data(data: &Path) -> Result<(), DbError> {
    let folders = fs::read_dir(data).map_err(|error| DbError::io(data, &error))?;
    for folder in folders {
        let folder = folder.map_err(|error| DbError::io(data, &error))?.path();
        SystemDisk
            .sync_folder(&folder)
            .map_err(|error| DbError::io(&folder, &error))?;
    }
    SystemDisk
        .sync_folder(data)
        .map_err(|error| DbError::io(data, &error))
}

/// Creates a folder, if it is missing, and locks it for a build.
fn lock_folder(folder: &Path) -> Result<FileLock, DbError> {
    let failed = |error| DbError::io(folder, &error);
    SystemDisk.make_folder(folder).map_err(failed)?;
    let lock = SystemDisk
        .lock(&folder.join("building.lock"))
        .map_err(failed)?;
    lock.ok_or_else(|| DbError::Busy(folder.to_owned()))
}

/// How much of the memory readers, merging and buffers need, in bytes.
const RESERVED_MEMORY: usize = 48 << 20;

/// The least size of a chunk in bytes, however little memory there is.
const MIN_CHUNK_SIZE: usize = 1 << 20;

/// How large the chunks may become: each thread sorts one while the next is read.
fn chunk_bytes(options: &BuildOptions) -> usize {
    let memory = options.memory.saturating_sub(RESERVED_MEMORY);
    (memory / (options.threads.get() + 1)).max(MIN_CHUNK_SIZE)
}

/// Checks that a database is not a share of one.
fn check_not_a_share(folder: &Path, manifest: &Manifest) -> Result<(), DbError> {
    match manifest.share() {
        Some(share) if share.of() > 1 => Err(DbError::Share {
            path: folder.to_owned(),
            share,
        }),
        _ => Ok(()),
    }
}

/// Checks that a new database can be built in a folder.
pub(crate) fn check_place(folder: &Path) -> Result<(), DbError> {
    if manifest::path(folder).exists() {
        return Err(DbError::Exists(folder.to_owned()));
    }
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(DbError::io(folder, &error)),
    };
    for entry in entries {
        let name = entry
            .map_err(|error| DbError::io(folder, &error))?
            .file_name();
        if !is_own(&name.to_string_lossy()) {
            return Err(DbError::NotEmpty(folder.to_owned()));
        }
    }
    Ok(())
}

/// Whether builds create files or folders of this name.
fn is_own(name: &str) -> bool {
    let is_data = name
        .strip_prefix("data-")
        .is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
    is_data || matches!(name, WORK | "building.lock") || name.starts_with(DRAFT)
}

/// The state of an interrupted build of the same database, or a new state.
fn resume_or_begin(folder: &Path, plan: BuildPlan, restart: bool) -> Result<BuildState, DbError> {
    let published = Manifest::load(folder).ok().map(|manifest| manifest.data);
    // If a build was interrupted after it wrote the manifest, only its temporary files are left.
    if !restart
        && let Some(state) = BuildState::load(folder)
        && published.as_deref() != Some(&*state.data)
    {
        // A pipe cannot be read again.
        let can_resume = plan.sources.iter().all(|source| source.bytes.is_some());
        if state.plan != plan {
            return Err(DbError::Unfinished(folder.to_owned()));
        }
        if can_resume && state.is_whole(folder) && folder.join(&state.data).is_dir() {
            return Ok(state);
        }
    }
    clear(folder, published.as_deref())?;
    let number = published
        .and_then(|data| data.strip_prefix("data-")?.parse::<u64>().ok())
        .map_or(1, |number| number + 1);
    let state = BuildState::new(plan, format!("data-{number}"));
    let work = folder.join(WORK);
    SystemDisk
        .make_folder(&work)
        .map_err(|error| DbError::io(&work, &error))?;
    let data = folder.join(&state.data);
    SystemDisk
        .make_folder(&data)
        .map_err(|error| DbError::io(&data, &error))?;
    state.save(folder)?;
    Ok(state)
}

/// Removes incomplete manifests. No other process writes one while the lock is held.
fn remove_drafts(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(DRAFT) {
            // If one cannot be removed, that does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The prefix of manifests while they are being written.
const DRAFT: &str = ".manifest.json.";

/// Removes what earlier builds left behind, but not the published data and no files of others.
fn clear(folder: &Path, published: Option<&str>) -> Result<(), DbError> {
    let failed = |error| DbError::io(folder, &error);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_folder = entry.file_type().map_err(failed)?.is_dir();
        if is_folder && is_own(&name) && published != Some(&*name) {
            fs::remove_dir_all(entry.path()).map_err(|error| DbError::io(&entry.path(), &error))?;
        }
    }
    Ok(())
}
