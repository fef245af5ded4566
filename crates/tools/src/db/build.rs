//! `tabiya db build`, `add` and `merge`: read games on all cores and make a database of them.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use serde::Serialize;
use tabiya_db::{
    Batch, BuildOptions, Builder, Built, Collector, Database, ReadFrom, Scope, Share, SourceFile,
    merge_shares,
};
use tabiya_engine::MemoryLimit;
use tabiya_front::failure::Failure;
use tabiya_front::input_file::InputFile;
use tabiya_front::output::{answer, say};
use tabiya_front::ranges::counted;
use tabiya_game::pgn::{Canceled, Part, Replay};

use super::{Add, Build, Merge, Resources};
use crate::pgn::job::{Job, PartWriter};
use crate::pgn::{Reading, mention, work};
use crate::progress::{Measure, Progress};

/// What a build needs besides the memory for sorting: to read blocks of files, and to write row groups.
const LEAST_MEMORY: u64 = 160 << 20;

/// What the allocator may reserve for a thread, with its stack.
const THREAD_MEMORY: u64 = 66 << 20;

/// The new database for `--json`.
#[derive(Default, Serialize)]
struct Made {
    games: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    read: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    added: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    errors: Option<u64>,
}

pub(super) fn build(args: &Build) -> Result<(), Failure> {
    let mut options = options(&args.resources)?;
    options.full = args.full;
    options.share = args.part.unwrap_or(Share::WHOLE);
    let builder = Builder::create(&args.folder, sources(&args.files)?, options)?;
    let built = perform(builder, &args.files, &args.resources)?;
    let games = counted(built.games, "game", "games");
    let text = format!("{games} stored ({} read)", built.read);
    finish(args.json, &built, None, &text)
}

pub(super) fn add(args: &Add) -> Result<(), Failure> {
    let sources = sources(&args.files)?;
    let builder = Builder::extend(&args.folder, sources, options(&args.resources)?)?;
    let built = perform(builder, &args.files, &args.resources)?;
    let added = built.games - built.before;
    let (all, read) = (built.games, built.read);
    let games = counted(added, "game", "games");
    let text = format!("{games} added ({read} read); {all} in total");
    finish(args.json, &built, Some(added), &text)
}

pub(super) fn merge(args: &Merge) -> Result<(), Failure> {
    let mut are_shares = true;
    let mut is_full = true;
    for other in &args.others {
        let database = Database::open(other)?;
        are_shares &= database.info().share != Share::WHOLE;
        is_full &= database.is_full();
    }
    let games = if are_shares {
        merge_shares(&args.folder, &args.others)?
    } else {
        let mut options = options(&args.resources)?;
        options.full = is_full;
        let builder = Builder::merge(&args.folder, &args.others, options)?;
        perform(builder, &[], &args.resources)?.games
    };
    let made = Made {
        games,
        ..Made::default()
    };
    answer(args.json, &made, [format!("{games} games")])
}

/// Ends a command whose database is complete, and mentions errors in its games.
fn finish(json: bool, built: &Built, added: Option<u64>, text: &str) -> Result<(), Failure> {
    let made = Made {
        games: built.games,
        read: Some(built.read),
        added,
        errors: Some(built.errors),
    };
    answer(json, &made, [text])?;
    mention(built.errors);
    Failure::if_errors(built.errors)
}

/// The options of a build, within the limit on the memory of this process.
fn options(resources: &Resources) -> Result<BuildOptions, Failure> {
    let mut options = BuildOptions::default();
    options.memory = resources.memory;
    let cores = thread::available_parallelism().ok();
    options.threads = resources.threads.or(cores).unwrap_or(options.threads);
    options.restart = resources.restart;
    let Some(left) = MemoryLimit::of_process().available() else {
        return Ok(options);
    };
    // An allocation that fails would end the program without a word, so a build gets along with what there is.
    let Some(left) = left.checked_sub(LEAST_MEMORY) else {
        let needed = LEAST_MEMORY >> 20;
        return Err(Failure::Unusable(format!(
            "there is not enough memory: a database needs {needed} MiB at least, and the limit on memory leaves {} MiB",
            left >> 20
        )));
    };
    options.memory = options.memory.min((left / 2) as usize);
    let threads = left / 2 / THREAD_MEMORY;
    let most = NonZeroUsize::new(threads as usize).unwrap_or(NonZeroUsize::MIN);
    options.threads = options.threads.min(most);
    Ok(options)
}

/// The files to read as sources of games, without duplicates.
fn sources(files: &[PathBuf]) -> Result<Vec<SourceFile>, Failure> {
    let mut known = HashMap::new();
    let mut sources = Vec::new();
    for file in files {
        let name = InputFile::new(file).name;
        match known.insert(name.clone(), file) {
            Some(earlier) if earlier == file => {}
            Some(_) => return Err(Failure::Usage(format!("two files are called {name}"))),
            None if file == Path::new("-") => sources.push(SourceFile::pipe(&name)),
            None => sources.push(SourceFile::new(file, &name)?),
        }
    }
    Ok(sources)
}

/// Reads the files and completes the database.
fn perform(
    mut builder: Builder,
    files: &[PathBuf],
    resources: &Resources,
) -> Result<Built, Failure> {
    if builder.is_resumed() {
        say("tabiya: resuming an interrupted build");
    }
    let progress = Progress::new(Measure::Share);
    builder.read_bases(&mut |done, of| progress.reach(done, of))?;
    drop(progress);
    read_files(&mut builder, files, resources)?;
    let progress = Progress::new(Measure::Share);
    Ok(builder.finish(&|done, of| progress.reach(done, of))?)
}

/// Reads what an earlier, interrupted build has not read of the files.
fn read_files(
    builder: &mut Builder,
    files: &[PathBuf],
    resources: &Resources,
) -> Result<(), Failure> {
    let mut remaining = HashMap::new();
    let mut unread = Vec::new();
    for file in files {
        let name = InputFile::new(file).name;
        if let Some(from) = builder.remaining(&name)
            && remaining.insert(name, from).is_none()
        {
            unread.push(file.clone());
        }
    }
    if unread.is_empty() {
        return Ok(());
    }
    let job = Collecting {
        scope: builder.scope(),
        remaining,
        games: Arc::default(),
    };
    let reading = Reading {
        files: unread,
        threads: resources.threads,
    };
    let printer = work::run_job(job, &reading, &mut |batch: Batch, _| {
        builder.add(batch)?;
        Ok(ControlFlow::Continue(()))
    })?;
    // A file that could not be read to its end must not count as read.
    printer.finish()
}

/// Collects the rows and entries of games for the builder.
struct Collecting {
    scope: Scope,
    /// Where to start reading each file.
    remaining: HashMap<String, ReadFrom>,
    games: Arc<AtomicU64>,
}

impl Job for Collecting {
    type Item = Batch;

    fn games(&self) -> Option<Arc<AtomicU64>> {
        Some(self.games.clone())
    }

    fn read(&self, part: Part<'_>, writer: &mut PartWriter<'_, Batch>) -> Result<(), Canceled> {
        let from = self.remaining.get(writer.file).copied();
        let from = from.unwrap_or(ReadFrom::Beginning);
        let mut reader = part.reader();
        let mut replay = Replay::new(Collector::new(self.scope, writer.file, from));
        let mut send_batch = |collector: &mut Collector| {
            let batch = collector.take();
            self.games.fetch_add(batch.read(), Ordering::Relaxed);
            writer.item(batch);
        };
        while reader.read_game(&mut replay)?.is_some() {
            let collector = replay.visitor_mut();
            if collector.is_large() {
                send_batch(collector);
            }
        }
        send_batch(replay.visitor_mut());
        Ok(())
    }
}
