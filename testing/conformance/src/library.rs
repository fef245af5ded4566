//! What a chess library must offer to be measured: one trait, implemented once
//! per library with that library's fastest public idiom.

use std::hint::black_box;

/// A chess library as the benchmark sees it.
///
/// Implementations are straight-line glue. They may not keep state between
/// calls, so that every call pays the full price that a user would pay.
pub trait Library {
    /// A position that has been checked and can be played on.
    type Position: Clone;
    /// The library's own move type.
    type Move: Copy;

    /// The name printed in tables.
    const NAME: &'static str;
    /// Whether a played position carries a hash key that is kept up to date.
    const KEEPS_KEY: bool;

    /// Whether moves are generated and played by the library's own code, and not by another library that is measured
    /// too.
    const GENERATES: bool = true;
    /// Whether the library writes moves in SAN.
    const WRITES_SAN: bool = true;

    /// Reads a FEN; `None` if the library refuses it.
    fn read_fen(fen: &str) -> Option<Self::Position>;

    /// Appends the FEN of a position to a text whose capacity is reused.
    fn write_fen(position: &Self::Position, text: &mut String);

    /// Counts the leaves `depth` plies below, the last ply being counted and
    /// not played. `depth` is at least 1.
    fn perft_counted(position: &Self::Position, depth: u32) -> u64;

    /// Counts the leaves `depth` plies below and plays every one of them,
    /// showing each leaf to `consume`. `depth` is at least 1.
    fn perft_played(position: &Self::Position, depth: u32, digest: &mut u64) -> u64;

    /// Makes the full list of legal moves in memory and returns its length.
    fn list_moves(position: &Self::Position) -> usize;

    /// Lists the legal moves, plays each of them, asks each position for its key, and returns how many there were:
    /// through the calls that the library's documentation shows first.
    fn list_play_key(position: &Self::Position, digest: &mut u64) -> u64;

    /// Reads one move of a game in SAN; `None` if it is refused.
    fn read_san(position: &Self::Position, san: &str) -> Option<Self::Move>;

    /// Plays a move that the library itself has just listed or read.
    fn play(position: &mut Self::Position, mv: Self::Move);

    /// Appends a move in SAN to a text whose capacity is reused, and plays it. A library that writes no SAN only plays it.
    fn write_san(position: &mut Self::Position, mv: Self::Move, text: &mut String);

    /// Reads one move of a game in SAN and plays it; false if it was refused.
    #[inline(always)]
    fn play_san(position: &mut Self::Position, san: &str) -> bool {
        let Some(mv) = Self::read_san(position, san) else {
            return false;
        };
        Self::play(position, mv);
        true
    }
}

/// Takes a played leaf: its key (0 where the library has none) goes into the
/// digest, and the optimizer is kept from leaving any part of the position
/// unwritten.
#[inline(always)]
pub fn consume<P>(leaf: &P, key: u64, digest: &mut u64) {
    black_box(leaf);
    *digest = digest.wrapping_add(key);
}
