//! `tabiya pgn`: files of games, read as streams of any length on all cores.
//!
//! Each command is a `Job`; `run_job` has it read the files part by part, with the threads
//! of [`read_parts`](tabiya_game::pgn::read_parts), and prints the results in order.

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
mod tag_values;
pub(crate) mod work;

use tabiya_front::failure::Failure;
use tabiya_front::output::say;
use tabiya_front::ranges::counted;

pub use flags::Pgn;
pub(crate) use flags::Reading;

/// Runs `tabiya pgn`.
pub fn run(args: &Pgn) -> Result<(), Failure> {
    match args {
        Pgn::Check(args) => check::run(args),
        Pgn::Stats(args) => stats::run(args),
        Pgn::Filter(args) => filter::run(args),
        Pgn::Convert(args) => convert::run(args),
        Pgn::Dedupe(args) => dedupe::run(args),
        Pgn::Fens(args) => fens::run(args),
    }
}

/// Mentions on stderr that some of the games have errors.
pub(crate) fn mention(errors: u64) {
    if errors > 0 {
        let errors = counted(errors, "error", "errors");
        say(&format!("tabiya: {errors}; `tabiya pgn check` shows where"));
    }
}
