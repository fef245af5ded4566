#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub use tabiya_rules;

mod book;
mod eco;
mod standard;
mod table;
#[cfg(test)]
mod tests;
mod tsv;

pub use book::{
    Book, BookBuilder, BookEntry, BookError, BookMove, Entries, PolyglotBook, RawMove, merge, write,
};
pub use eco::{Eco, ParseEcoError};
pub use table::{Opening, Openings};
pub use tsv::{MAX_LINES, MAX_NAME_BYTES, MAX_PLIES, TableError, TableErrorKind};
