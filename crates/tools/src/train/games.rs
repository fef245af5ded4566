//! The games of files, folders and databases, searched one after another.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};

use tabiya_db::Database;
use tabiya_front::explorer::record_of;
use tabiya_front::failure::Failure;
use tabiya_front::input_file::{InputFile, input_files};
use tabiya_front::signals::die_by;
use tabiya_game::Record;
use tabiya_game::pgn::RecordReader;
use tabiya_rules::ByColor;
use tabiya_rules::text::clean;
use tabiya_train::mine::{Control, Mined, Miner};

use crate::status_line::StatusLine;
use crate::watch_ends;

/// A search for exercises: what stops it, and how far it is.
pub(super) struct Search {
    pub(super) control: Arc<Control>,
    signal: Arc<OnceLock<i32>>,
    miner: Miner,
    line: StatusLine,
}

/// What is done with each game, and with a name of where it is.
type Visit<'a> = dyn FnMut(&Record, &str) -> Result<(), Failure> + 'a;

impl Search {
    /// Begins to watch for signals.
    pub(super) fn begin() -> Result<Search, Failure> {
        let search = Search {
            control: Arc::default(),
            signal: Arc::default(),
            miner: Miner::default(),
            line: StatusLine::new(),
        };
        let (control, signal) = (Arc::clone(&search.control), Arc::clone(&search.signal));
        watch_ends(move |number| {
            signal.get_or_init(|| number);
            control.stop();
        })?;
        Ok(search)
    }

    /// Searches a game, and shows how far it is; `None` if it was stopped, which leaves the game for the next time.
    pub(super) fn mine(
        &mut self,
        record: &Record,
        from: &str,
        sides: ByColor<bool>,
        (done, found): (u64, u64),
    ) -> Option<Mined> {
        let text = |_| format!("Looking for exercises: {done} games, {found} found");
        self.line.show(text);
        self.miner.mine(record, from, sides, &self.control).ok()
    }

    /// Ends the line that shows how far it is, and the program if a signal has stopped it, after telling what was found.
    pub(super) fn finish(&self, tell: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
        self.line.close();
        tell()?;
        if let Some(&number) = self.signal.get() {
            let _ = die_by(number);
        }
        Ok(())
    }
}

/// Passes all games to `visit` until the search is stopped.
pub(super) fn for_each(
    files: &[PathBuf],
    control: &Control,
    visit: &mut Visit<'_>,
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

fn of_database(folder: &Path, control: &Control, visit: &mut Visit<'_>) -> Result<(), Failure> {
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

fn of_file(input: &InputFile, control: &Control, visit: &mut Visit<'_>) -> Result<(), Failure> {
    let failed = |error| Failure::system(&input.name, &error);
    let (name, count) = (file_name(&input.name), AtomicU64::new(0));
    let games = RecordReader::from_read(input.open(&count).map_err(failed)?);
    for (number, game) in (1..).zip(games) {
        visit(&game.map_err(failed)?.record, &format!("{name}#{number}"))?;
        if control.should_stop() {
            break;
        }
    }
    Ok(())
}

/// The last part of a path.
fn file_name(path: &str) -> String {
    let name = Path::new(path).file_name().unwrap_or_default();
    clean(&name.to_string_lossy()).into_owned()
}
