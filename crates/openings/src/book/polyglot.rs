//! Books in the Polyglot format: entries sorted by key, found by binary search. If a file is truncated while it is open,
//! the next read is an error and nothing worse.

use core::error::Error;
use core::fmt;
use std::io::{self, Read, Seek, SeekFrom};

use tabiya_rules::{MAX_MOVES, Position};

use super::{Book, BookEntry, BookMove};

/// The length of an entry in a file.
const BYTES: u64 = BookEntry::BYTES as u64;
/// How many entries the iterator reads at a time.
const CHUNK: usize = 512;

/// Why a book cannot be read or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum BookError {
    /// Reading or writing failed.
    Io(io::Error),
    /// The length is not a multiple of sixteen bytes: the file is not a book, or it is truncated.
    Length {
        /// How many bytes there are.
        bytes: u64,
    },
    /// The index is out of range.
    NoEntry {
        /// The index, from 0.
        index: u64,
        /// How many there are.
        len: u64,
    },
    /// The entries are not in the order of their keys.
    Unsorted {
        /// The index of the first entry with a smaller key than the one before, from 0.
        index: u64,
    },
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BookError::Io(error) => error.fmt(f),
            BookError::Length { bytes } => write!(
                f,
                "not a whole Polyglot book: expected entries of 16 bytes, found {bytes} bytes"
            ),
            BookError::NoEntry { index, len } => {
                write!(f, "there is no entry {index} in a book of {len}")
            }
            BookError::Unsorted { index } => write!(
                f,
                "entry {index} has a smaller key than the one before; a Polyglot book is sorted"
            ),
        }
    }
}

impl Error for BookError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            BookError::Io(error) => Some(error),
            BookError::Length { .. } | BookError::NoEntry { .. } | BookError::Unsorted { .. } => {
                None
            }
        }
    }
}

impl From<io::Error> for BookError {
    fn from(error: io::Error) -> BookError {
        BookError::Io(error)
    }
}

/// A Polyglot book in anything that can be read and sought: a file, or bytes in a [`Cursor`](io::Cursor).
///
/// ```
/// use std::io::Cursor;
/// use tabiya_openings::{Book, BookEntry, PolyglotBook};
/// use tabiya_rules::Position;
///
/// let start = Position::start();
/// let entry = BookEntry::new(&start, start.parse_uci("g1f3")?, 7);
/// let mut book = PolyglotBook::new(Cursor::new(entry.to_bytes()))?;
/// let best = book.best(&start)?.expect("a move");
/// assert_eq!(start.san(best.m).to_string(), "Nf3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PolyglotBook<R> {
    reader: R,
    len: u64,
}

impl<R: Read + Seek> PolyglotBook<R> {
    /// Opens a book. Only its length is checked.
    ///
    /// # Errors
    /// The length cannot be determined, or it is not that of a book.
    pub fn new(mut reader: R) -> Result<PolyglotBook<R>, BookError> {
        let bytes = reader.seek(SeekFrom::End(0))?;
        if bytes % BYTES != 0 {
            return Err(BookError::Length { bytes });
        }
        Ok(PolyglotBook {
            reader,
            len: bytes / BYTES,
        })
    }

    /// How many entries there are.
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// Whether the book is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The entry at an index, from 0.
    ///
    /// # Errors
    /// The index is out of range, or the entry cannot be read.
    pub fn entry(&mut self, index: u64) -> Result<BookEntry, BookError> {
        if index >= self.len {
            let len = self.len;
            return Err(BookError::NoEntry { index, len });
        }
        let mut bytes = [0; BookEntry::BYTES];
        self.reader.seek(SeekFrom::Start(index * BYTES))?;
        self.reader.read_exact(&mut bytes)?;
        Ok(BookEntry::from_bytes(bytes))
    }

    /// The entries with a key, in the order of the book, at most as many as a position can have moves.
    ///
    /// The book must be sorted; in one that is not, some entries are not found.
    ///
    /// # Errors
    /// The book cannot be read.
    pub fn entries_of(&mut self, key: u64) -> Result<Vec<BookEntry>, BookError> {
        let (mut low, mut high) = (0, self.len);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.entry(middle)?.key < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let mut found = Vec::new();
        while low < self.len && found.len() < MAX_MOVES {
            let entry = self.entry(low)?;
            if entry.key != key {
                break;
            }
            found.push(entry);
            low += 1;
        }
        Ok(found)
    }

    /// All entries in the order of the book.
    ///
    /// # Errors
    /// The reader cannot seek to the beginning.
    pub fn entries(&mut self) -> Result<Entries<'_, R>, BookError> {
        self.reader.seek(SeekFrom::Start(0))?;
        Ok(Entries {
            reader: &mut self.reader,
            left: self.len,
            chunk: Vec::new(),
            next: 0,
        })
    }
}

impl<R: Read + Seek> Book for PolyglotBook<R> {
    type Error = BookError;

    /// Entries that are not legal moves are skipped; of duplicate moves the first entry counts.
    fn moves(&mut self, position: &Position) -> Result<Vec<BookMove>, BookError> {
        let mut moves: Vec<BookMove> = Vec::new();
        for entry in self.entries_of(position.polyglot_key())? {
            let Some(m) = entry.raw.resolve(position) else {
                continue;
            };
            if moves.iter().all(|found| found.m != m) {
                let weight = u32::from(entry.weight);
                moves.push(BookMove { m, weight });
            }
        }
        Ok(moves)
    }
}

/// An iterator over the entries of a book; see [`PolyglotBook::entries`].
#[derive(Debug)]
pub struct Entries<'a, R> {
    reader: &'a mut R,
    /// How many entries are not read yet.
    left: u64,
    chunk: Vec<u8>,
    /// Where the next entry begins in the chunk.
    next: usize,
}

impl<R: Read> Entries<'_, R> {
    fn refill(&mut self) -> Result<(), BookError> {
        let count = self.left.min(CHUNK as u64);
        self.chunk.resize(count as usize * BookEntry::BYTES, 0);
        self.next = 0;
        // An error ends the iteration.
        let left = core::mem::take(&mut self.left);
        if let Err(error) = self.reader.read_exact(&mut self.chunk) {
            self.chunk.clear();
            return Err(error.into());
        }
        self.left = left - count;
        Ok(())
    }
}

impl<R: Read> Iterator for Entries<'_, R> {
    type Item = Result<BookEntry, BookError>;

    fn next(&mut self) -> Option<Result<BookEntry, BookError>> {
        if self.next == self.chunk.len() {
            if self.left == 0 {
                return None;
            }
            if let Err(error) = self.refill() {
                return Some(Err(error));
            }
        }
        let bytes = self.chunk[self.next..].first_chunk()?;
        self.next += BookEntry::BYTES;
        Some(Ok(BookEntry::from_bytes(*bytes)))
    }
}
