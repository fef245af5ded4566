//! Opening books in files: the flag `--book` and the setting `game.book`.

use std::fs::File;
use std::path::{Path, PathBuf};

use tabiya_openings::{Book, BookError, PolyglotBook};
use tabiya_play::players::SharedBook;
use tabiya_rules::Position;
use tabiya_rules::text::clean;
use tabiya_store::disk::{self, FileFault};
use tabiya_store::paths;
use thiserror::Error;

use crate::failure::Failure;

/// Why a file cannot be played from.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum BookFileError {
    #[error("{}: {fault}", shown(.path))]
    File { path: PathBuf, fault: FileFault },
    #[error("{} is not a plain file.", shown(.0))]
    NotPlain(PathBuf),
    /// It is no book, in the words of the reader.
    #[error("{}: {reason}", shown(.path))]
    NoBook { path: PathBuf, reason: String },
    /// No game that begins from the standard position would ever use it.
    #[error("{}: the book has no move for the start position", shown(.0))]
    NoStart(PathBuf),
}

impl From<BookFileError> for Failure {
    fn from(error: BookFileError) -> Failure {
        Failure::Unusable(error.to_string())
    }
}

fn shown(path: &Path) -> String {
    clean(&path.display().to_string()).into_owned()
}

/// Opens a Polyglot book. A tilde is the home folder.
pub(crate) fn open(path: &Path) -> Result<SharedBook, BookFileError> {
    polyglot(path).map(SharedBook::new)
}

/// Opens a book that openings can be taken from.
pub(crate) fn open_for_openings(path: &Path) -> Result<SharedBook, BookFileError> {
    let mut book = polyglot(path)?;
    match book.best(&Position::start()) {
        Ok(Some(_)) => Ok(SharedBook::new(book)),
        Ok(None) => Err(BookFileError::NoStart(path.to_owned())),
        Err(error) => Err(refused(path, error)),
    }
}

fn polyglot(path: &Path) -> Result<PolyglotBook<File>, BookFileError> {
    let file = paths::from_home(path);
    // Nobody can tell when a pipe will be opened from its other end, and meanwhile nothing would be drawn.
    if file.exists() && !file.is_file() {
        return Err(BookFileError::NotPlain(path.to_owned()));
    }
    let book = File::open(&file).map_err(BookError::Io);
    book.and_then(PolyglotBook::new)
        .map_err(|error| refused(path, error))
}

fn refused(path: &Path, error: BookError) -> BookFileError {
    let path = path.to_owned();
    match error {
        BookError::Io(error) => BookFileError::File {
            fault: disk::why(&error),
            path,
        },
        other => BookFileError::NoBook {
            reason: other.to_string(),
            path,
        },
    }
}
