//! The games of files, folders and databases, one after another, and how many there are.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use tabiya_db::Database;
use tabiya_front::explorer::record_of;
use tabiya_front::failure::Failure;
use tabiya_front::input_file::{InputFile, input_files};
use tabiya_game::Record;
use tabiya_game::pgn::RecordReader;
use tabiya_play::threads;
use tabiya_rules::text::clean;
use tabiya_train::mine::Control;

use crate::status_line::StatusLine;
use crate::watch_ends;

/// What stops a search, and the signal that did.
pub(super) struct Stop {
    pub(super) control: Arc<Control>,
    signal: Arc<OnceLock<i32>>,
}

impl Stop {
    /// Watches for signals.
    pub(super) fn watch() -> Result<Stop, Failure> {
        let stop = Stop {
            control: Arc::default(),
            signal: Arc::default(),
        };
        let (control, signal) = (Arc::clone(&stop.control), Arc::clone(&stop.signal));
        watch_ends(move |number| {
            signal.get_or_init(|| number);
            control.stop();
        })?;
        Ok(stop)
    }

    /// Ends the program by the signal that stopped the search, if one did.
    pub(super) fn finish(&self) {
        if let Some(&number) = self.signal.get() {
            let _ = tabiya_front::signals::die_by(number);
        }
    }
}

/// Passes all games to `visit`, each with a name of where it is, until the search is stopped.
pub(super) fn for_each(
    files: &[PathBuf],
    control: &Control,
    visit: &mut dyn FnMut(&Record, &str) -> Result<(), Failure>,
) -> Result<(), Failure> {
    for path in files {
        if path.join("manifest.json").is_file() {
            of_database(path, control, visit)?;
            continue;
        }
        for input in input_files(std::slice::from_ref(path)) {
            of_file(&input, control, visit)?;
        }
    }
    Ok(())
}

fn of_database(
    folder: &Path,
    control: &Control,
    visit: &mut dyn FnMut(&Record, &str) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let name = file_name(&folder.to_string_lossy());
    let mut visited = Ok(());
    let database = Database::open(folder).map_err(Failure::unusable)?;
    let read = database.for_each_game(|game| {
        if let Some(record) = record_of(&game) {
            visited = visit(&record, &format!("{name}#{:016x}", game.id));
        }
        visited.is_ok() && !control.should_stop()
    });
    visited?;
    read.map_err(Failure::unusable)
}

fn of_file(
    input: &InputFile,
    control: &Control,
    visit: &mut dyn FnMut(&Record, &str) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let failed = |error| Failure::system(&input.name, &error);
    let name = file_name(&input.name);
    let count = AtomicU64::new(0);
    let mut reader = RecordReader::from_read(input.open(&count).map_err(failed)?);
    let mut number = 0;
    while !control.should_stop()
        && let Some(game) = reader.read().map_err(failed)?
    {
        number += 1;
        visit(&game.record, &format!("{name}#{number}"))?;
    }
    Ok(())
}

/// The last part of a path.
fn file_name(path: &str) -> String {
    let name = Path::new(path).file_name().unwrap_or_default();
    clean(&name.to_string_lossy()).into_owned()
}

/// How far a search is, on a line of a terminal.
pub(super) struct Progress {
    line: StatusLine,
    /// How many games there are; 0 until they have been counted.
    of: Arc<AtomicU64>,
}

impl Progress {
    /// Counts the games that are wanted in a thread of its own, unless a file can be read only once.
    pub(super) fn counting(
        files: &[PathBuf],
        stop: &Stop,
        wanted: impl Fn(&Record) -> bool + Send + 'static,
    ) -> Progress {
        let progress = Progress::of(0);
        let (files, of) = (files.to_vec(), Arc::clone(&progress.of));
        let control = Arc::clone(&stop.control);
        let is_countable = files.iter().all(|file| file.is_dir() || file.is_file());
        if is_countable {
            // Without a thread, it is only unknown how many there are.
            let _ = threads::spawn(move || {
                let mut sum = 0;
                let counted = for_each(&files, &control, &mut |record, _| {
                    sum += u64::from(wanted(record));
                    Ok(())
                });
                // Whoever searches the games reports what is wrong with a file.
                if counted.is_ok() {
                    of.store(sum, Ordering::Relaxed);
                }
            });
        }
        progress
    }

    /// Of a known number of games.
    pub(super) fn of(games: usize) -> Progress {
        Progress {
            line: StatusLine::new(),
            of: Arc::new(AtomicU64::new(games as u64)),
        }
    }

    /// Shows how many games are done.
    pub(super) fn reach(&self, done: u64, found: u64) {
        self.line.show(|_| {
            let of = match self.of.load(Ordering::Relaxed) {
                0 => format!("{done}"),
                of => format!("{done} of {of}"),
            };
            format!("Looking for exercises: {of} games, {found} found")
        });
    }
}
