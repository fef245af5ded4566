//! Opening books: the interface of any book, and books in the Polyglot format.

mod build;
mod entry;
mod merge;
mod polyglot;
#[cfg(test)]
mod tests;

use core::error::Error;

pub use build::BookBuilder;
pub use entry::{BookEntry, RawMove};
pub use merge::{merge, write};
pub use polyglot::{BookError, Entries, PolyglotBook};
use tabiya_rules::{Move, Position};

/// A move that a book has for a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BookMove {
    /// The move, legal in the position.
    pub m: Move,
    /// Its weight relative to the other moves of the position. A move of weight 0 is never picked.
    pub weight: u32,
}

/// A source of moves for positions: a book in a file, or a database.
///
/// ```
/// use core::convert::Infallible;
/// use tabiya_openings::{Book, BookMove};
/// use tabiya_rules::Position;
///
/// /// A book with the same weight for every move.
/// struct Anything;
///
/// impl Book for Anything {
///     type Error = Infallible;
///
///     fn moves(&mut self, position: &Position) -> Result<Vec<BookMove>, Infallible> {
///         let moves = position.legal_moves();
///         Ok(moves.iter().map(|&m| BookMove { m, weight: 1 }).collect())
///     }
/// }
///
/// let first = Anything.pick(&Position::start(), 0)?.expect("a move");
/// let last = Anything.pick(&Position::start(), u64::MAX)?.expect("a move");
/// assert_ne!(first.m, last.m);
/// # Ok::<(), Infallible>(())
/// ```
pub trait Book {
    /// Why the book cannot be read.
    type Error: Error;

    /// The legal moves that the book has for a position, in its own order.
    ///
    /// # Errors
    /// The book cannot be read.
    fn moves(&mut self, position: &Position) -> Result<Vec<BookMove>, Self::Error>;

    /// The move with the greatest weight, or the first such move; `None` if every weight is 0.
    ///
    /// # Errors
    /// The book cannot be read.
    fn best(&mut self, position: &Position) -> Result<Option<BookMove>, Self::Error> {
        let mut best: Option<BookMove> = None;
        for found in self.moves(position)? {
            if found.weight > best.map_or(0, |best| best.weight) {
                best = Some(found);
            }
        }
        Ok(best)
    }

    /// A move picked with a probability proportional to its weight; `None` if every weight is 0. Pass a random number
    /// that is uniform over all of `u64`.
    ///
    /// # Errors
    /// The book cannot be read.
    fn pick(&mut self, position: &Position, random: u64) -> Result<Option<BookMove>, Self::Error> {
        let moves = self.moves(position)?;
        let total: u64 = moves.iter().map(|found| u64::from(found.weight)).sum();
        // Scales the random number to the total weight, without the bias of a remainder.
        let mut rest = ((u128::from(random) * u128::from(total)) >> 64) as u64;
        for found in moves {
            match rest.checked_sub(u64::from(found.weight)) {
                Some(left) => rest = left,
                None => return Ok(Some(found)),
            }
        }
        Ok(None)
    }
}
