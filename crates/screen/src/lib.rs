//! The full screen of the program `tabiya`: its state, how it is drawn, and the runtime that performs its effects.
//!
//! It is published because the program needs it, not for others to build on.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::wildcard_enum_match_arm))]

mod app;
mod message;
mod runtime;
mod tui;

pub use runtime::{has_screen, run};

/// The keys typed among the answers of a terminal to queries.
#[doc(hidden)]
#[must_use]
pub fn typed_among_answers(bytes: &[u8]) -> Vec<u8> {
    tui::graphics::Answers::read(bytes).typed
}
