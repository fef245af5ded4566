#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod eco;
mod standard;
mod table;
#[cfg(test)]
mod tests;
mod tsv;

pub use eco::{Eco, ParseEcoError};
pub use table::{Opening, Openings};
pub use tsv::{MAX_LINES, MAX_NAME_BYTES, MAX_PLIES, TableError, TableErrorKind};
