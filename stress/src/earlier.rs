//! What rows came to in earlier runs, kept beside what was built: a table of many hours need not be run in one piece.

use std::path::PathBuf;
use std::{fs, io};

use crate::outcome::Outcome;
use crate::rows::Row;

/// Where a row is kept: beside the program that was built.
fn path(row: &Row) -> io::Result<PathBuf> {
    let program = std::env::current_exe()?;
    Ok(program.with_file_name("stress-rows").join(row.id))
}

/// Keeps what a row came to, unless it could not run: that is no reason to forget when it could.
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

/// What a row came to when it was run last, if it was and went to its end.
pub(crate) fn outcome(row: &Row) -> Option<Outcome> {
    let text = fs::read_to_string(path(row).ok()?).ok()?;
    let mut outcome = Outcome::default();
    let ended = text.lines().fold(false, |_, line| outcome.take(line));
    ended.then_some(outcome)
}
