//! Games as text in Portable Game Notation (PGN): read at any size, checked, and written.
//!
//! There are three layers, each built on the one before:
//!
//! - [`Reader`] turns bytes from a [`Source`] into events for a [`Visitor`]. It knows no rules and does not allocate
//!   for a move.
//! - [`Replay`] wraps a visitor and plays every move, so that the visitor sees moves and positions.
//! - [`games`] and [`RecordReader`] make whole [`Record`](crate::Record)s, which [`to_string`], [`write()`] and
//!   [`write_to`] turn back into text.
//!
//! [`read_parallel`] reads one file with several threads; [`read_parts`] reads any number of files with threads that the
//! program starts, and may stop early.
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
//! Any other fault is reported as a [`PgnError`] with its position in the text. What came before it in the game is
//! kept, and other games are not affected. A game has a tag, a move or a result; headings, comments and zero bytes
//! outside of games are not games. A game ends with its result, or where the next one begins: at a tag at the
//! beginning of a line, at `[Event "` anywhere, or at a move with the number 1 after an empty line. Other empty lines
//! between moves are white space. A comment ends at the latest before a tag that follows an empty line, so that an
//! unclosed brace does not affect other games.
//!
//! # Limits
//!
//! A file may have any size, but what one game may ask for is bounded, so that no file can exhaust memory: by
//! [`MAX_DEPTH`], [`MAX_TAGS`], [`MAX_TAG_LENGTH`] and [`MAX_COMMENT_LENGTH`] for every reader, and for records also
//! by [`MAX_NODES`], [`MAX_ANNOTATIONS`], [`MAX_TEXT`] and [`MAX_ERRORS`].

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
pub use parallel::{
    Canceled, LostThread, Part, PartEvent, PartReader, Task, read_parallel, read_parts,
};
pub use reader::Reader;
pub use replay::Replay;
pub use shape::{is_null_move, parse_result};
pub use source::{ReadSource, Source};
pub use split::last_game;
pub use text::Text;
pub use text_position::TextPosition;
pub use visitor::{Flow, Interrupt, ReadError, Response, Visitor};
pub use writer::{Format, Notation, to_string, write, write_as, write_to};

/// How deeply variations may be nested.
pub const MAX_DEPTH: usize = 1_000;

/// The most tags a game may have. A record read from a file keeps ten fewer, so that there is room for those that every
/// game is written with.
pub const MAX_TAGS: usize = 1_000;

/// The most bytes a tag may have, brackets included.
pub const MAX_TAG_LENGTH: usize = 1 << 16;

/// The most bytes a comment may have.
pub const MAX_COMMENT_LENGTH: usize = 1 << 20;

/// The most moves a record read from a file may have, including those in variations.
pub const MAX_NODES: usize = 200_000;

/// The most comments and glyphs a record read from a file may have.
pub const MAX_ANNOTATIONS: usize = 100_000;

/// The most bytes of comments and tags a record read from a file may have.
pub const MAX_TEXT: usize = 1 << 23;

/// The most errors that are kept for a game read from a file.
pub const MAX_ERRORS: usize = 1_000;
