//! The names of openings: the standard table, with the lines of the user's own file from `openings.file`.
//!
//! The file is read once, before anything is named, and does not change until the program exits. If it cannot be used,
//! that is reported, and the standard names apply.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tabiya_game::Record;
use tabiya_openings::{Opening, Openings, TableError};
use tabiya_play::table::ask;
use tabiya_store::Summary;
use tabiya_store::disk::{Disk, FileError, SystemDisk, uninterrupted};
use tabiya_store::paths;
use thiserror::Error;

/// The largest file of names, in bytes.
const MAX_NAMES_SIZE: u64 = 1 << 25;

/// The standard table with the user's own lines, if there are any.
static OWN: OnceLock<Openings> = OnceLock::new();

/// Why the user's own names cannot be used.
#[derive(Debug, Error)]
pub enum NamesError {
    #[error("openings.file: {0}")]
    File(FileError),
    #[error("openings.file: {}: {error}", .path.display())]
    Table { path: PathBuf, error: TableError },
}

/// The table of names.
pub fn known() -> &'static Openings {
    OWN.get().unwrap_or(Openings::standard())
}

/// Reads the user's own names, if the config has a file of them.
pub fn configure(file: Option<&Path>) -> Result<(), NamesError> {
    let Some(path) = file else { return Ok(()) };
    let path = paths::from_home(path);
    let openings = load(&SystemDisk, &path)?;
    // A second caller uses what the first has read.
    let _ = OWN.set(openings);
    Ok(())
}

/// Reads the user's own names, which are added to the standard ones.
fn load<D: Disk>(disk: &D, path: &Path) -> Result<Openings, NamesError> {
    let bytes = uninterrupted(|| disk.read(path, MAX_NAMES_SIZE))
        .map_err(|error| NamesError::File(FileError::new(path, &error)))?;
    let mut openings = Openings::standard().clone();
    match openings.add_tsv(&bytes) {
        Ok(()) => Ok(openings),
        Err(error) => Err(NamesError::Table {
            path: path.to_owned(),
            error,
        }),
    }
}

/// The opening of a game, from the moves that were played.
pub fn of_record(record: &Record) -> Option<Opening<'static>> {
    ask::opening(known(), record.main_line_end())
}

/// The opening of a saved game.
pub fn of_save(summary: &Summary) -> Option<Opening<'static>> {
    known().of_game(&summary.start, summary.line.iter().copied())
}

/// An opening as lists show it: its code and name.
pub fn shown(opening: Opening<'_>) -> String {
    format!("{} {opening}", opening.eco)
}

/// A game of this program for export: with its opening, unless it already has tags for that.
pub fn tagged(mut record: Record) -> Record {
    let has = |name| record.tags().get(name).is_some();
    if !TAGS.into_iter().any(has)
        && let Some(opening) = of_record(&record)
    {
        tag(&mut record, opening);
    }
    record
}

/// The tags for the opening of a game.
pub(crate) const TAGS: [&str; 3] = ["ECO", "Opening", "Variation"];

/// Writes an opening into the tags of a game.
pub fn tag(record: &mut Record, opening: Opening<'_>) {
    let eco = opening.eco.to_string();
    let values = [Some(&*eco), Some(opening.family), opening.variation];
    for (name, value) in TAGS.into_iter().zip(values) {
        // Names are single lines, so they are not refused.
        let _ = match value {
            Some(value) => record.tags_mut().set(name, value),
            None => {
                record.tags_mut().remove(name);
                Ok(())
            }
        };
    }
}

#[cfg(test)]
mod tests;
