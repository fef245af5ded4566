//! Training from one's own games: each mistake is an exercise that comes back until it is remembered.
//!
//! Nothing derived is stored: a record has what happened, in logs that only grow, and everything else (when an exercise is
//! due, how well it is known) is worked out from it. So logs of several machines merge without conflict, and better formulas
//! need no migration.
//!
//! | module | owns |
//! | --- | --- |
//! | `fsrs` | the formulas that say how well something is remembered |
//! | `day` | moments, and the day of training, which begins at 04:00 |
//! | `item` | an exercise, and its identity by position |
//! | `log` | a line of a log as a value |
//! | `memory` | what all logs together amount to |
//! | `record` | the folder with the logs: reading, appending, locking, and what is damaged |
//! | `queue` | the exercises of a day |
//! | `csv` `puzzle` | files of puzzles in the form of Lichess, row by row; a row as a position and a solution |
//! | `themes` | what a solution is about |
//! | `rating` | the rating of an exercise that nobody has tried |
//! | `player` | the player's rating |
//! | `own` | the mistakes of a judged game as exercises |
//! | `mine` | the search for mistakes and tactics in a game that nobody has judged |
//! | `trainer` | a training session: requests in, outcomes out |
//!
//! # Features and the oldest Rust
//!
//! There are no features. The crate needs the standard library and Rust 1.89 or newer. A newer Rust is required only with
//! a new minor version.

#![forbid(unsafe_code)]
// A new variant makes the compiler list every place that must handle it.
#![cfg_attr(not(test), warn(clippy::wildcard_enum_match_arm))]

pub mod csv;
pub mod day;
pub mod fsrs;
pub mod item;
pub mod log;
pub mod memory;
pub mod mine;
pub mod own;
pub mod player;
pub mod puzzle;
pub mod queue;
pub mod rating;
pub mod record;
pub mod themes;
pub mod trainer;

#[cfg(test)]
mod tests;
