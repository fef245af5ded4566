//! The program `tabiya`: it parses the command line, runs the command, and maps its failure to an exit code.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::wildcard_enum_match_arm))]

mod cli;
mod flags;
#[cfg(feature = "serve")]
mod join;
mod memory;
mod start;

use std::io::Write;
use std::process::ExitCode;

use cli::{Cli, Command};
use tabiya_front::failure::Failure;
use tabiya_front::output::say;

/// Runs the program with the arguments of the process.
fn main() -> ExitCode {
    memory::share_arena();
    let args = match Cli::read(&std::env::args_os().collect::<Vec<_>>()) {
        Ok(args) => args,
        Err(answer) => return parser_answer(&answer),
    };
    // A write beyond the limit on file sizes should fail, not end the program.
    if let Err(error) = tabiya_front::signals::survive_file_limit() {
        say(&format!(
            "tabiya: {}",
            tabiya_front::signals::unusable(&error)
        ));
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
        Some(Command::Moves(args)) => tabiya_tools::position::moves(args),
        Some(Command::Status(args)) => tabiya_tools::position::status(args),
        Some(Command::Perft(args)) => tabiya_tools::perft::run(args),
        Some(Command::Pgn(args)) => tabiya_tools::pgn::run(args),
        Some(Command::Book(args)) => tabiya_tools::book::run(args),
        Some(Command::Db(args)) => tabiya_tools::db::run(args),
        Some(Command::Explorer(args)) => tabiya_tools::explorer::run(args),
        Some(Command::Match(args)) => tabiya_tools::contest::run(args),
        Some(Command::Analyse(args)) => tabiya_tools::analyse::run(args),
        Some(Command::Engines(args)) => tabiya_tools::engines::run(args),
        Some(Command::Uci) => tabiya_tools::engines::uci(),
        Some(Command::Bench) => tabiya_tools::engines::bench(),
        Some(Command::Review(args)) => start::review(args),
        Some(Command::Train(args)) => start::train(args),
        #[cfg(feature = "import")]
        Some(Command::Import(args)) => tabiya_tools::import::run(args),
        #[cfg(feature = "serve")]
        Some(Command::Serve(args)) => tabiya_tools::serve::run(args),
        #[cfg(feature = "serve")]
        Some(Command::Export(args)) => tabiya_tools::export::run(args),
        Some(Command::Show(args)) => tabiya_tools::position::show(args),
        Some(Command::Completions { shell }) => {
            tabiya_tools::completions(*shell, Cli::definition())
        }
        Some(Command::Man { command }) => tabiya_tools::man(command, Cli::definition()),
    }
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
