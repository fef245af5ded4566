//! `tabiya pgn`: files of games, read as streams of any length on all cores.
//!
//! Each command is a [`Job`](job::Job); [`perform`](work::perform) passes it the files part by part and prints the
//! results in order.

mod check;
mod columns;
mod convert;
pub(crate) mod criteria;
mod dedupe;
mod fens;
pub(crate) mod filter;
mod flags;
pub(crate) mod job;
mod options;
pub(crate) mod printer;
pub(crate) mod raw_text;
mod spool;
mod stats;
pub(crate) mod work;

pub(crate) use flags::{Pgn, Reading};

use crate::failure::Failure;

pub(crate) fn run(asked: &Pgn) -> Result<(), Failure> {
    match asked {
        Pgn::Check(asked) => check::run(asked),
        Pgn::Stats(asked) => stats::run(asked),
        Pgn::Filter(asked) => filter::run(asked),
        Pgn::Convert(asked) => convert::run(asked),
        Pgn::Dedupe(asked) => dedupe::run(asked),
        Pgn::Fens(asked) => fens::run(asked),
    }
}

/// Mentions on stderr that some of the games have errors.
pub(crate) fn mention(errors: u64) {
    if errors > 0 {
        let noun = if errors == 1 { "error" } else { "errors" };
        crate::output::say(&format!(
            "tabiya: {errors} {noun}; `tabiya pgn check` shows where"
        ));
    }
}
