//! Exact, fast chess rules: positions, legal moves, status, and every usual notation.
//!
//! A [`Setup`] is anything a text or a program says about a position; [`Setup::position`] turns it
//! into a [`Position`], which is valid. A position is a small value: [`Position::play`] makes a
//! new one and leaves the old one as it is.
//!
//! ```
//! use tabiya_rules::{Color, Position, Status};
//!
//! let mut position = Position::start();
//! for text in ["f3", "e5", "g4", "Qh4#"] {
//!     position = position.play(position.parse_san(text)?)?;
//! }
//! assert_eq!(position.status(), Status::Checkmate { winner: Color::Black });
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to | use |
//! | --- | --- |
//! | list, count or visit moves | [`Position::legal_moves`], [`Position::count_legal_moves`], [`Position::visit_moves`], [`Position::captures`], [`Position::quiets`], [`Position::legal_moves_within`]; into an existing list: [`Position::legal_moves_into`] |
//! | ask about one move | [`Position::is_legal`], [`Position::find_move`] (why not?), [`Position::gives_check`], [`Position::captured`], [`Position::see`] |
//! | update an evaluation move by move | [`Position::delta`] |
//! | read and write moves | [`Position::parse_san`], [`Position::san`], [`Position::lan`], [`Position::parse_uci`], [`Position::uci`] |
//! | read and write positions | [`Position::from_fen`], [`Position::fen`], [`Epd`], [`Board::diagram`] |
//! | play and take back, count repetitions | [`MoveHistory`] |
//! | store a position in 32 bytes | [`Position::pack`], [`Position::unpack`] |
//! | compare positions | `==`, [`Position::key`], [`Position::polyglot_key`] |
//! | play Chess960 | [`Position::chess960`], [`Position::double_chess960`] |
//!
//! The parsers accept any text: no input makes them panic. Nothing here does input or output or reads a
//! clock, and generating, playing and judging moves does not allocate.
//!
//! # Features, `no_std` and the oldest Rust
//!
//! | feature | on by default | adds |
//! | --- | --- | --- |
//! | `std` | yes | threads for perft, and the choice of the fastest code path for the CPU at run time |
//! | `serde` | no | values as their usual texts (squares, moves, FEN) in any serde format |
//!
//! Without `std` the crate needs only `alloc`. It builds with Rust 1.88 and newer. A newer Rust is required only with a new
//! minor version.
#![cfg_attr(not(feature = "std"), no_std)]
#![allow(long_running_const_eval)]

extern crate alloc;

pub mod attacks;
mod bitboard;
mod board;
mod castling;
mod chess960;
mod color;
#[doc(hidden)]
pub mod cpu;
mod history;
mod moves;
mod notation;
mod packed;
mod perft;
mod piece;
mod polyglot;
mod position;
mod position_key;
mod score;
#[cfg(feature = "serde")]
mod serde_forms;
mod setup;
mod short_text;
mod sliders;
mod square;
#[doc(hidden)]
pub mod text;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use castling::{CastlingMode, CastlingSide};
pub use color::{ByColor, Color, ParseColorError};
pub use history::{HistoryStatus, MoveHistory};
pub use moves::{MAX_MOVES, Move, MoveList};
pub use notation::diagram::{Diagram, DiagramLabels, DiagramPieces};
pub use notation::epd::{Epd, EpdError, EpdMovesError, EpdOperation};
pub use notation::fen::{
    CastlingNotation, EnPassantMode, FenError, FenExpected, FenField, ParseFenError,
};
pub use notation::san::San;
pub use notation::san_reader::SanError;
pub use notation::uci::{ParseUciError, UciError, UciMove};
pub use packed::UnpackError;
#[cfg(feature = "std")]
pub use perft::perft_threads;
pub use perft::{PerftTable, perft, perft_divide, perft_hashed};
pub use piece::{ByRole, ParsePieceError, Piece, Role};
pub use position::{
    IllegalMove, MoveDelta, MoveFilter, MoveSet, PIECE_VALUES, PlayError, Position, SetupError,
    SetupErrorKind, Status, Waivers,
};
pub use position_key::PositionKey;
pub use score::{ParseScoreError, Score};
pub use setup::Setup;
pub use square::{File, ParseSquareError, Rank, Square};
#[doc(hidden)]
pub use zobrist::SplitMix64;

/// Runs the programs of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
