//! A text that the user wants in a file: in a new one, or in the place of one that the user agreed to lose.

use std::io::ErrorKind;
use std::ops::Range;
use std::path::Path;

use crate::disk::{self, Computer, NewFile};
use crate::paths;

/// Why a text is in no file yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotWritten {
    /// There is a file of that name, which can be replaced.
    Exists,
    /// It cannot be written, for the reason that the sentence says.
    Because(String),
}

/// Writes a text to a file that does not exist yet, and says so.
pub fn write_new(path: &Path, text: &str) -> Result<String, NotWritten> {
    let path = &paths::from_home(path);
    NewFile::write_text(path, text).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists if path.is_file() => NotWritten::Exists,
        ErrorKind::AlreadyExists if path.is_dir() => {
            let folder = ErrorKind::IsADirectory.into();
            NotWritten::Because(disk::sentence(path, &folder))
        }
        _ => NotWritten::Because(disk::sentence(path, &error)),
    })?;
    Ok(written(path))
}

/// Writes a text in the place of a file, so that there is always the old one or the new one as a whole.
pub fn replace(path: &Path, text: &str) -> Result<String, String> {
    let path = paths::from_home(path);
    // A link goes on leading to the file.
    let path = path.canonicalize().unwrap_or(path);
    disk::replace(&Computer, &path, &disk::draft_of(&path), text.as_bytes())
        .map_err(|error| disk::sentence(&path, &error))?;
    Ok(written(&path))
}

/// Writes a text in the place of a part of a file. Everything else in it stays byte for byte.
pub fn replace_part(path: &Path, part: Range<u64>, text: &str) -> Result<String, String> {
    let path = paths::from_home(path);
    // A link goes on leading to the file.
    let path = path.canonicalize().unwrap_or(path);
    let draft = disk::draft_of(&path);
    disk::replace_part(&Computer, &path, &draft, part, text.as_bytes())
        .map_err(|error| disk::sentence(&path, &error))?;
    Ok(written(&path))
}

/// What is asked before a file is replaced that holds so many games.
pub fn question(path: &Path, games: usize) -> String {
    let name = paths::shown(path);
    match games {
        0 | 1 => format!("There is a file {name} already. Replace it?"),
        games => {
            format!("There is a file {name} already. Replace it, and lose the {games} games in it?")
        }
    }
}

fn written(path: &Path) -> String {
    format!("Written to {}.", paths::shown(path))
}

#[cfg(test)]
mod tests;
