//! Tests of the crate from outside, in one binary.

mod claims;
mod clock;
mod common;
mod dead;
mod events;
mod limits;
mod loop_example;
mod odd_tokens;
mod offers;
mod pgn_corpus;
mod pgn_errors;
mod pgn_events;
mod pgn_notation;
#[cfg(feature = "threads")]
mod pgn_parallel;
mod pgn_properties;
mod properties;
mod record;
mod rules;
mod save;
#[cfg(feature = "serde")]
mod serde;
mod suites;
mod threads;
mod undo;
mod values;
