//! The opening book that bots and matches play from.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use tabiya_openings::Book;
use tabiya_rules::{Move, Position};
use thiserror::Error;

/// An opening book of any kind. Clones share the book.
///
/// ```
/// use std::io::Cursor;
/// use tabiya_openings::{BookEntry, PolyglotBook, write};
/// use tabiya_play::players::SharedBook;
/// use tabiya_rules::Position;
///
/// let start = Position::start();
/// let mut bytes = Vec::new();
/// write([BookEntry::new(&start, start.parse_san("c4")?, 1)], &mut bytes)?;
/// let book = SharedBook::new(PolyglotBook::new(Cursor::new(bytes))?);
/// assert_eq!(book.pick(&start, 0)?, Some(start.parse_san("c4")?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct SharedBook(Arc<Mutex<Pick>>);

/// Picks a move of a book, whatever kind of book it is.
type Pick = dyn FnMut(&Position, u64) -> Result<Option<Move>, BookUnreadable> + Send;

/// The book could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("The opening book cannot be read: {reason}")]
pub struct BookUnreadable {
    /// The book's own message.
    pub reason: String,
}

impl SharedBook {
    /// Shares a book.
    pub fn new(mut book: impl Book + Send + 'static) -> SharedBook {
        let pick = move |position: &Position, random| match book.pick(position, random) {
            Ok(found) => Ok(found.map(|found| found.m)),
            Err(error) => Err(BookUnreadable {
                reason: error.to_string(),
            }),
        };
        SharedBook(Arc::new(Mutex::new(pick)))
    }

    /// Picks a move by weight (see [`Book::pick`]); `None` if the book has no move here.
    ///
    /// # Errors
    /// The book cannot be read.
    pub fn pick(&self, position: &Position, random: u64) -> Result<Option<Move>, BookUnreadable> {
        let mut pick = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pick(position, random)
    }
}

impl fmt::Debug for SharedBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedBook").finish_non_exhaustive()
    }
}
