//! A text that the user wants in a file: a new one, or one that the user agreed to replace.

use std::fmt;
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::disk::{self, FileError, NewFile, SystemDisk};
use crate::paths;

/// A file that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written(pub PathBuf);

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Written to {}.", paths::shown(&self.0))
    }
}

/// Why a text was not written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotWritten {
    /// A file with that name exists and can be replaced.
    #[error("There is a file of that name already.")]
    Exists,
    /// It cannot be written.
    #[error(transparent)]
    Because(#[from] FileError),
}

/// Writes a text to a file that does not exist yet.
pub fn write_new(path: &Path, text: &str) -> Result<Written, NotWritten> {
    let path = paths::from_home(path);
    let Err(error) = NewFile::write_text(&path, text) else {
        return Ok(Written(path));
    };
    let exists = error.kind() == ErrorKind::AlreadyExists;
    if exists && path.is_file() {
        return Err(NotWritten::Exists);
    }
    let folder = (exists && path.is_dir()).then(|| ErrorKind::IsADirectory.into());
    Err(FileError::new(&path, &folder.unwrap_or(error)).into())
}

/// Replaces a file with a text. At every moment the file is the old one or the new one as a whole.
pub fn replace(path: &Path, text: &str) -> Result<Written, FileError> {
    write_over(path, |path, draft| {
        disk::replace(&SystemDisk, path, draft, text.as_bytes())
    })
}

/// Replaces a part of a file with a text. Everything else in it stays byte for byte.
pub fn replace_part(path: &Path, part: Range<u64>, text: &str) -> Result<Written, FileError> {
    write_over(path, |path, draft| {
        disk::replace_part(&SystemDisk, path, draft, part, text.as_bytes())
    })
}

/// Replaces a file by writing to a draft beside it. A link stays, and leads to the new text.
fn write_over(
    path: &Path,
    write: impl FnOnce(&Path, &Path) -> io::Result<()>,
) -> Result<Written, FileError> {
    let path = paths::from_home(path);
    // A link keeps pointing to the file.
    let path = path.canonicalize().unwrap_or(path);
    let written = write(&path, &disk::draft_of(&path));
    written.map_err(|error| FileError::new(&path, &error))?;
    Ok(Written(path))
}

/// Returns the question to ask before replacing a file with this many games.
pub fn question(path: &Path, games: usize) -> String {
    let name = paths::shown(path);
    match games {
        0 | 1 => format!("There is a file {name} already. Replace it?"),
        games => {
            format!("There is a file {name} already. Replace it, and lose the {games} games in it?")
        }
    }
}

#[cfg(test)]
mod tests;
