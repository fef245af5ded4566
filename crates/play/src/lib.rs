//! One board with its players: who sits where, what engines are asked and what their answers mean, advice, the analysis
//! of games, and matches. Nothing here prints or opens a file, except that other programs are started as players.
//!
//! | module | owns |
//! | --- | --- |
//! | `players` | players other than people, behind one interface: [`players::BlockingPlayer`] thinks in the caller's
//! thread, [`players::Player`] in its own |
//! | `engines` | engines by name |
//! | `opponents` | who sits at the board, what engines are asked, what their answers mean for the game |
//! | `advice` `evaluation_history` | hints, evaluations and lines for a person; the evaluation of the game, move by move |
//! | `analysis` `study` | an engine's analysis of a whole game; a game under analysis, with other tries at its mistakes |
//! | `glicko2` | ratings of players by their results |
//! | `contest` | matches: pairs of openings, statistics, adjudication |
//! | `request` `outcome` `table` | one board with its players: requests in, outcomes out |
//! | `desk` `review` | what a person has on the desk: a game, a review beside it, the game that ended last |
//! | `remote` | what a table and a server tell each other |
//! | `threads` | threads that the system may refuse |
//! | `typed_move` `variations` | moves as people type them; operations on variations |
//!
//! # Features and the oldest Rust
//!
//! There are no features. The crate needs the standard library and Rust 1.88 or newer. A newer Rust is required only with
//! a new minor version.

#![forbid(unsafe_code)]
// A new variant makes the compiler list every place that must handle it.
#![cfg_attr(not(test), warn(clippy::wildcard_enum_match_arm))]

pub mod advice;
pub mod analysis;
pub mod contest;
pub mod desk;
pub mod engines;
pub mod evaluation_history;
pub mod glicko2;
pub mod opponents;
pub mod outcome;
pub mod players;
pub mod question;
pub mod remote;
pub mod request;
pub mod review;
pub mod study;
pub mod table;
pub mod threads;
pub mod typed_move;
pub mod variations;

#[cfg(test)]
mod tests;

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
