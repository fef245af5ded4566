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
#[doc(hidden)]
pub mod input;
#[cfg(feature = "serve")]
mod join;
mod json;
mod key_map;
mod line;
mod matches;
mod message;
mod opening_names;
mod output;
mod position;
mod ranges;
mod runtime;
mod saved;
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
    let asked = match Cli::read(&std::env::args_os().collect::<Vec<_>>()) {
        Ok(asked) => asked,
        Err(answer) => return parser_answer(&answer),
    };
    // A write beyond the limit on file sizes should fail, not end the program.
    if let Err(error) = signals::survive_file_limit() {
        say(&format!("tabiya: {}", signals::unusable(&error)));
        return ExitCode::from(3);
    }
    match run(&asked) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if let Some(sentence) = failure.sentence() {
                say(&format!("tabiya: {sentence}"));
            }
            failure.exit_code()
        }
    }
}

fn run(asked: &Cli) -> Result<(), Failure> {
    match &asked.command {
        None => start::bare(&asked.display),
        Some(Command::Play(asked)) => start::run(asked),
        Some(Command::Moves(asked)) => tools::moves::run(asked),
        Some(Command::Status(asked)) => tools::status::run(asked),
        Some(Command::Perft(asked)) => tools::perft::run(asked),
        Some(Command::Pgn(asked)) => tools::pgn::run(asked),
        Some(Command::Book(asked)) => tools::book::run(asked),
        Some(Command::Db(asked)) => tools::db::run(asked),
        Some(Command::Explorer(asked)) => tools::explorer::run(asked),
        Some(Command::Match(asked)) => tools::contest::run(asked),
        Some(Command::Analyse(asked)) => tools::analyse::run(asked),
        Some(Command::Engines(asked)) => tools::engines::run(asked),
        Some(Command::Uci) => tools::engine::uci(),
        Some(Command::Bench) => tools::engine::bench(),
        Some(Command::Review(asked)) => start::review(asked),
        #[cfg(feature = "serve")]
        Some(Command::Serve(asked)) => tools::serve::run(asked),
        #[cfg(feature = "serve")]
        Some(Command::Export(asked)) => tools::export::run(asked),
        Some(Command::Show(asked)) => tools::show::run(asked),
        Some(Command::Completions { shell }) => {
            tools::packaging::completions(*shell, Cli::definition())
        }
        Some(Command::Man { command }) => tools::packaging::man(command, Cli::definition()),
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
