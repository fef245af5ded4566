//! Games as text in Portable Game Notation: read at any size, checked, and written.
//!
//! Three layers, each built on the one before:
//!
//! - [`Reader`] turns bytes from a [`Source`] into events for a [`Visitor`]. It knows no rules and allocates nothing
//!   for a move.
//! - [`Replay`] wraps a visitor and plays every move, so that the visitor sees moves and positions.
//! - [`games`] and [`RecordReader`] make whole [`Record`](crate::Record)s, which [`to_string`], [`write()`] and
//!   [`write_to`] turn back into text.
//!
//! [`read_parallel`] reads one file with several threads.
//!
//! # What is read
//!
//! More than the standard asks for: comments in braces and after semicolons, glyphs as `$1` and as `!?`, nested
//! variations, lines that begin with `%`, byte order marks, lines that end with LF, CR LF or CR, UTF-8 and
//! Windows-1252, missing results and move numbers, `1.e4` and `1. ... e5`, null moves, castling with zeros, moves in
//! coordinates, figurines, signs such as `±` and `‼`, results such as `½–½` and `1:0`, games from a `FEN` tag,
//! Chess960, tags with unescaped quotes, games without an empty line between them, and
//! parentheses that open or close nothing.
//!
//! Anything else that is wrong is reported as a [`PgnError`] with its position in the text. What came before it in the
//! game is kept, and other games are not affected. A game has a tag, a move or a result; headings, comments and zeros outside of games are
//! no games. One ends with its result; where the tags of another begin, at a tag at the beginning of a line, or at
//! `[Event "` anywhere; or where, after an empty line, a move with the number 1 follows. Other empty lines between
//! moves are white space. A comment ends at the latest where, after an empty line, a tag begins, so that an unclosed
//! brace does not affect other games.
//!
//! # Limits
//!
//! Files may have any size; what one game may ask for is bounded, so that no file can exhaust memory:
//! [`MAX_DEPTH`], [`MAX_TAGS`], [`MAX_TAG_LENGTH`] and [`MAX_COMMENT_LENGTH`] for every reader, and for records
//! [`MAX_NODES`], [`MAX_ANNOTATIONS`], [`MAX_TEXT`] and [`MAX_ERRORS`] as well.

mod commands;
mod comments;
mod error;
mod games;
mod movetext;
mod outside;
#[cfg(feature = "threads")]
mod parallel;
mod pasted;
mod reader;
mod replay;
mod scan;
mod shape;
mod source;
mod split;
mod tag;
#[cfg(test)]
mod tests;
mod text;
mod text_position;
mod visitor;
mod wrap;
mod writer;

pub use commands::parse_comment;
pub use error::{PgnError, PgnErrorKind};
pub use games::{Games, PgnGame, RecordReader, games};
#[cfg(feature = "threads")]
pub use parallel::read_parallel;
pub use reader::Reader;
pub use replay::Replay;
pub use shape::{is_null_move, parse_result};
pub use source::{ReadSource, Source};
pub use split::last_game;
pub use text::Text;
pub use text_position::TextPosition;
pub use visitor::{Flow, Interrupt, ReadError, Response, Visitor};
pub use writer::{Format, Notation, to_string, write, write_as, write_to};

/// How deep variations may lie inside each other.
pub const MAX_DEPTH: usize = 1_000;

/// How many tags a game may have.
pub const MAX_TAGS: usize = 1_000;

/// How many bytes a tag may have, brackets included.
pub const MAX_TAG_LENGTH: usize = 1 << 16;

/// How many bytes a comment may have.
pub const MAX_COMMENT_LENGTH: usize = 1 << 20;

/// How many moves a record made from a file may have, those in variations included.
pub const MAX_NODES: usize = 200_000;

/// How many comments and glyphs a record made from a file may have.
pub const MAX_ANNOTATIONS: usize = 100_000;

/// How many bytes of comments and tags a record made from a file may have.
pub const MAX_TEXT: usize = 1 << 23;

/// How many errors a game made from a file keeps.
pub const MAX_ERRORS: usize = 1_000;
