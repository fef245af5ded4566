//! Chess for the terminal: the program, as a library.
//!
//! [`main`] parses the command line, runs the command and maps its failure to an exit code. Programs that want chess
//! use the crates below this one; whatever else is public here is for the project's own measurements and fuzzing.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::wildcard_enum_match_arm))]

mod app;
mod book_file;
mod cli;
mod commands;
#[doc(hidden)]
pub mod config;
mod explorer;
mod failure;
mod flags;
mod game_file;
mod game_json;
mod game_search;
mod game_text;
#[doc(hidden)]
pub mod input_file;
#[cfg(feature = "serve")]
mod join;
mod json;
mod key_map;
mod line;
mod matches;
mod memory;
mod message;
mod opening_names;
mod output;
mod position;
mod ranges;
mod review;
mod runtime;
mod saved;
mod setup;
mod signals;
mod start;
mod tools;
mod tui;
mod wording;

use std::io::Write;
use std::process::ExitCode;

use cli::{Cli, Command};
use failure::Failure;
use output::say;

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    memory::share_arena();
    let args = match Cli::read(&std::env::args_os().collect::<Vec<_>>()) {
        Ok(args) => args,
        Err(answer) => return parser_answer(&answer),
    };
    // A write beyond the limit on file sizes should fail, not end the program.
    if let Err(error) = signals::survive_file_limit() {
        say(&format!("tabiya: {}", signals::unusable(&error)));
        return ExitCode::from(3);
    }
    // An allocation that fails ends the program without a sentence.
    if memory::is_short() {
        say("tabiya: there is not enough memory; a limit on it is reached");
        return ExitCode::from(3);
    }
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if let Some(sentence) = failure.sentence() {
                say(&format!("tabiya: {sentence}"));
            }
            failure.exit_code()
        }
    }
}

fn run(args: &Cli) -> Result<(), Failure> {
    match &args.command {
        None => start::bare(&args.display),
        Some(Command::Play(args)) => start::run(args),
        Some(Command::Moves(args)) => tools::position::moves(args),
        Some(Command::Status(args)) => tools::position::status(args),
        Some(Command::Perft(args)) => tools::perft::run(args),
        Some(Command::Pgn(args)) => tools::pgn::run(args),
        Some(Command::Book(args)) => tools::book::run(args),
        Some(Command::Db(args)) => tools::db::run(args),
        Some(Command::Explorer(args)) => tools::explorer::run(args),
        Some(Command::Match(args)) => tools::contest::run(args),
        Some(Command::Analyse(args)) => tools::analyse::run(args),
        Some(Command::Engines(args)) => tools::engines::run(args),
        Some(Command::Uci) => tools::engines::uci(),
        Some(Command::Bench) => tools::engines::bench(),
        Some(Command::Review(args)) => start::review(args),
        #[cfg(feature = "serve")]
        Some(Command::Serve(args)) => tools::serve::run(args),
        #[cfg(feature = "serve")]
        Some(Command::Export(args)) => tools::export::run(args),
        Some(Command::Show(args)) => tools::position::show(args),
        Some(Command::Completions { shell }) => tools::completions(*shell, Cli::definition()),
        Some(Command::Man { command }) => tools::man(command, Cli::definition()),
    }
}

/// The keys typed among the answers of a terminal to queries.
#[doc(hidden)]
#[must_use]
pub fn typed_among_answers(bytes: &[u8]) -> Vec<u8> {
    tui::graphics::Answers::read(bytes).typed
}

/// Help and version are answers. Everything else repeats what was typed, and so has to be cleaned.
fn parser_answer(answer: &clap::Error) -> ExitCode {
    if answer.use_stderr() {
        say(answer.render().to_string().trim_end());
        return ExitCode::from(2);
    }
    // Help that is not read to its end is not a failure.
    let _ = answer.print();
    let _ = std::io::stdout().flush();
    ExitCode::SUCCESS
}
