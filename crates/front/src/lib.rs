//! What the fronts of the program `tabiya` share: its table of commands, its words, its JSON, its settings, the files it
//! reads, and its games as they are found and saved. The line mode, the full screen and the tools are crates above it.
//!
//! It is published because the program needs it, not for others to build on: programs that want chess use the crates below.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::wildcard_enum_match_arm))]
// What other crates of the program use is explained where it needs to be.
#![allow(missing_docs)]

pub mod appearance;
pub mod book_file;
pub mod cells;
pub mod color;
pub mod commands;
pub mod config;
pub mod explorer;
pub mod failure;
pub mod flags;
pub mod game_file;
pub mod game_json;
pub mod game_search;
pub mod game_text;
pub mod input_file;
pub mod json;
pub mod key_map;
pub mod matches;
pub mod opening_names;
pub mod output;
pub mod position;
pub mod ranges;
pub mod review;
pub mod saved;
pub mod setup;
pub mod signals;
pub mod theme;
pub mod training;
pub mod wording;
