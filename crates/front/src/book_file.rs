//! Opening books for the flag `--book` and the setting `game.book`. A file is a Polyglot book, a folder a database.

use std::fs::File;
use std::path::{Path, PathBuf};

use tabiya_db::Database;
use tabiya_openings::{BookError, PolyglotBook};
use tabiya_play::players::SharedBook;
use tabiya_rules::Position;
use tabiya_store::disk::{self, FileFault};
use tabiya_store::paths;
use thiserror::Error;

use crate::failure::Failure;

/// Why a book cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BookFileError {
    #[error("{}: {fault}", paths::clean(.path))]
    File { path: PathBuf, fault: FileFault },
    /// It is not a book; the reader says why.
    #[error("{}: {reason}", paths::clean(.path))]
    NoBook { path: PathBuf, reason: String },
    /// It has no move for the standard start.
    #[error("{}: the book has no move for the start position", paths::clean(.0))]
    NoStart(PathBuf),
}

impl From<BookFileError> for Failure {
    fn from(error: BookFileError) -> Failure {
        Failure::Unusable(error.to_string())
    }
}

/// Opens a book. A tilde means the home folder.
pub fn open(path: &Path) -> Result<SharedBook, BookFileError> {
    let file = paths::from_home(path);
    if file.is_dir() {
        let database = Database::open(&file);
        let database = database.map_err(|error| no_book(path, error.to_string()))?;
        return Ok(SharedBook::new(database));
    }
    // A pipe might never be opened at its other end, and the screen would freeze meanwhile.
    if file.exists() && !file.is_file() {
        let (path, fault) = (path.to_owned(), FileFault::NotPlain);
        return Err(BookFileError::File { path, fault });
    }
    let book = File::open(&file).map_err(BookError::Io);
    let book = book.and_then(PolyglotBook::new);
    Ok(SharedBook::new(
        book.map_err(|error| unusable_book(path, error))?,
    ))
}

/// Opens a book that can provide openings.
pub fn open_for_openings(path: &Path) -> Result<SharedBook, BookFileError> {
    let book = open(path)?;
    match book.pick(&Position::start(), 0) {
        Ok(Some(_)) => Ok(book),
        Ok(None) => Err(BookFileError::NoStart(path.to_owned())),
        Err(error) => Err(no_book(path, error.reason)),
    }
}

fn no_book(path: &Path, reason: String) -> BookFileError {
    let path = path.to_owned();
    BookFileError::NoBook { path, reason }
}

/// Why a Polyglot book cannot be used.
pub fn unusable_book(path: &Path, error: BookError) -> BookFileError {
    if let BookError::Io(error) = error {
        let (path, fault) = (path.to_owned(), disk::why(&error));
        return BookFileError::File { path, fault };
    }
    no_book(path, error.to_string())
}
