//! The outcomes of rows in earlier runs, stored beside the build, so that a table of many hours need not be run at
//! once.

use std::path::PathBuf;
use std::{fs, io};

use crate::outcome::Outcome;
use crate::rows::Row;

/// Returns the file for the outcome of a row, beside the program that was built.
fn path(row: &Row) -> io::Result<PathBuf> {
    let program = std::env::current_exe()?;
    Ok(program.with_file_name("stress-rows").join(row.id))
}

/// Stores the outcome of a row, unless the row could not run; then an earlier outcome stays.
pub(crate) fn keep(row: &Row, outcome: &Outcome) -> io::Result<()> {
    if outcome.impossible.is_some() {
        return Ok(());
    }
    let path = path(row)?;
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, outcome.lines().join("\n") + "\n")
}

/// Returns the outcome of the last run of a row, if it was run to its end.
pub(crate) fn outcome(row: &Row) -> Option<Outcome> {
    let text = fs::read_to_string(path(row).ok()?).ok()?;
    let mut outcome = Outcome::default();
    let ended = text.lines().fold(false, |_, line| outcome.take(line));
    ended.then_some(outcome)
}
