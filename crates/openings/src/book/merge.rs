//! Writes books: sorted entries, or several books merged into one.

use std::io::{Read, Seek, Write};
use std::iter::Peekable;

use tabiya_rules::MAX_MOVES;

use super::{BookEntry, BookError, Entries, PolyglotBook, RawMove};

/// Writes entries as a book. They must be sorted by key.
///
/// # Errors
/// The entries are not sorted, or the writer fails. What was written until then is not a valid book.
pub fn write(
    entries: impl IntoIterator<Item = BookEntry>,
    mut writer: impl Write,
) -> Result<(), BookError> {
    let mut last = 0;
    for (index, entry) in (0..).zip(entries) {
        if entry.key < last {
            return Err(BookError::Unsorted { index });
        }
        last = entry.key;
        writer.write_all(&entry.to_bytes())?;
    }
    writer.flush()?;
    Ok(())
}

/// Merges several books into one. The weights of a move are added, and the learned value is that of the first book with
/// one. If a sum is too large, the weights of the position are scaled down.
///
/// The books are read once, in step, and only the entries of one position are in memory.
///
/// # Errors
/// A book cannot be read or is not sorted, or the writer fails.
///
/// ```
/// use std::io::Cursor;
/// use tabiya_openings::{BookEntry, PolyglotBook, merge};
/// use tabiya_rules::Position;
///
/// let start = Position::start();
/// let one = BookEntry::new(&start, start.parse_uci("e2e4")?, 3).to_bytes();
/// let other = BookEntry::new(&start, start.parse_uci("e2e4")?, 4).to_bytes();
/// let mut books = [PolyglotBook::new(Cursor::new(one))?, PolyglotBook::new(Cursor::new(other))?];
/// let mut merged = Vec::new();
/// merge(&mut books, &mut merged)?;
/// assert_eq!(PolyglotBook::new(Cursor::new(merged))?.entry(0)?.weight, 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn merge<R: Read + Seek>(
    books: &mut [PolyglotBook<R>],
    mut writer: impl Write,
) -> Result<(), BookError> {
    let mut sources = Vec::new();
    for book in books {
        sources.push(Sorted {
            entries: book.entries()?.peekable(),
            read: 0,
        });
    }
    loop {
        let mut least = None;
        for source in &mut sources {
            let key = source.key()?;
            least = [least, key].into_iter().flatten().min();
        }
        let Some(key) = least else {
            break;
        };
        let mut weighed = Vec::new();
        for source in &mut sources {
            source.take_entries(key, &mut weighed)?;
        }
        for entry in scaled(key, weighed) {
            writer.write_all(&entry.to_bytes())?;
        }
    }
    writer.flush()?;
    Ok(())
}

/// A move with a weight that may be too large for an entry.
pub(super) struct Weighed {
    pub(super) raw: RawMove,
    pub(super) weight: u64,
    pub(super) learn: u32,
}

/// The entries of a position, the heaviest first. Weights keep their proportions, and only 0 becomes 0.
pub(super) fn scaled(key: u64, mut moves: Vec<Weighed>) -> impl Iterator<Item = BookEntry> {
    moves.sort_by_key(|found| (u64::MAX - found.weight, found.raw));
    let most = moves.first().map_or(0, |found| found.weight);
    let largest = u64::from(u16::MAX);
    moves.into_iter().map(move |found| {
        let weight = if most <= largest {
            found.weight
        } else {
            let share = u128::from(found.weight) * u128::from(largest) / u128::from(most);
            u64::max(share as u64, u64::from(found.weight > 0))
        };
        BookEntry {
            key,
            raw: found.raw,
            weight: weight as u16,
            learn: found.learn,
        }
    })
}

/// The entries of a book. Their order is checked as they are read.
struct Sorted<'a, R: Read> {
    entries: Peekable<Entries<'a, R>>,
    read: u64,
}

impl<R: Read> Sorted<'_, R> {
    /// The key of the next entry.
    fn key(&mut self) -> Result<Option<u64>, BookError> {
        match self.entries.peek() {
            None => Ok(None),
            Some(Ok(entry)) => Ok(Some(entry.key)),
            Some(Err(_)) => match self.entries.next() {
                Some(Err(error)) => Err(error),
                Some(Ok(_)) | None => Ok(None),
            },
        }
    }

    /// Takes the entries with a key. No later entry may have it.
    fn take_entries(&mut self, key: u64, moves: &mut Vec<Weighed>) -> Result<(), BookError> {
        while self.key()? == Some(key) {
            let Some(entry) = self.entries.next().transpose()? else {
                break;
            };
            self.read += 1;
            let is_full = moves.len() == MAX_MOVES;
            match moves.iter_mut().find(|found| found.raw == entry.raw) {
                Some(found) => {
                    found.weight += u64::from(entry.weight);
                    if found.learn == 0 {
                        found.learn = entry.learn;
                    }
                }
                // No position has more moves, so the rest is not read.
                None if is_full => {}
                None => moves.push(Weighed {
                    raw: entry.raw,
                    weight: u64::from(entry.weight),
                    learn: entry.learn,
                }),
            }
        }
        match self.key()? {
            Some(next) if next < key => Err(BookError::Unsorted { index: self.read }),
            Some(_) | None => Ok(()),
        }
    }
}
