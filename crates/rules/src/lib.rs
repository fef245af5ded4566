//! Exact, fast chess rules.
#![cfg_attr(not(feature = "std"), no_std)]
#![allow(long_running_const_eval)]

extern crate alloc;

pub mod attacks;
mod bitboard;
mod board;
mod castling;
mod chess960;
mod color;
mod cpu;
mod moves;
mod notation;
mod perft;
mod piece;
mod polyglot;
mod position;
mod setup;
mod square;
#[cfg(feature = "serde")]
mod text_serde;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use castling::{CastlingMode, CastlingSide};
pub use color::{ByColor, Color};
pub use moves::{MAX_MOVES, Move, MoveList};
pub use notation::diagram::{Diagram, DiagramLabels, DiagramPieces};
pub use notation::epd::{Epd, EpdError, EpdOperation};
pub use notation::fen::{
    CastlingNotation, EnPassantMode, FenError, FenExpected, FenField, ParseFenError,
};
pub use notation::san::San;
pub use notation::san_reader::SanError;
pub use notation::uci::{ParseUciError, UciError, UciMove};
#[cfg(feature = "std")]
pub use perft::perft_threads;
pub use perft::{PerftTable, perft, perft_divide, perft_hashed};
pub use piece::{ByRole, Piece, Role};
pub use position::{
    Change, IllegalMove, MoveSet, PlayError, Position, Reason, SetupError, Status, Targets, Waivers,
};
pub use setup::Setup;
pub use square::{File, ParseSquareError, Rank, Square};
pub use zobrist::SplitMix64;
