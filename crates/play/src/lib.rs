//! One board with its players: who sits where, how engines are asked and what their answers mean, advice, the judgment of
//! games, and matches. Nothing here prints or opens a file, except that other programs are started as players.
//!
//! | module | owns |
//! | --- | --- |
//! | `players` | players that are no persons, behind one interface: [`players::BlockingPlayer`] thinks in the caller's thread, [`players::Player`] in its own |
//! | `engines` | engines by name |
//! | `opponents` | who sits at the board, what engines are asked, what their answers mean for the game |
//! | `advice` `course` | hints, evaluations and lines for a person; how the game stood, move by move |
//! | `analysis` `study` | what an engine thinks of a whole game; a game that is judged, with another try at its mistakes |
//! | `contest` | matches: pairs of openings, statistics, adjudication |
//! | `request` `outcome` `table` | one board with its players: requests in, outcomes out |
//! | `threads` | threads that the system may refuse |
//! | `typed_move` `variations` | moves as people type them; what is done with variations |
//!
//! # Features and the oldest Rust
//!
//! There are no features. The crate needs the standard library and Rust 1.88 or newer. A newer Rust is required only with
//! a new minor version.

#![forbid(unsafe_code)]
// Whoever adds a variant is told by the compiler where it matters.
#![cfg_attr(not(test), warn(clippy::wildcard_enum_match_arm))]

pub mod advice;
pub mod analysis;
pub mod contest;
pub mod course;
pub mod engines;
pub mod opponents;
pub mod outcome;
pub mod players;
pub mod remote;
pub mod request;
pub mod study;
pub mod table;
pub mod threads;
pub mod typed_move;
pub mod variations;

#[cfg(test)]
mod send_sync;

/// The programs of the README are tests too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
