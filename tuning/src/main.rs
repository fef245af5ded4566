//! Fits the numbers of the evaluation to games that the engine played against itself.
//!
//!     tabiya match bot bot --nodes 4000 --games 5000 --pgn games.pgn
//!     cargo run --release -p tuning -- games.pgn > standard.rs
//!     mv standard.rs crates/engine/src/evaluation/standard.rs
//!
//! Every position in which the engine made a quiet move has an aim: what the search thought of it, and how the game
//! ended. The numbers are moved until what the evaluation says of all positions is as near to their aims as it can be.
//! The source of the new numbers goes to stdout, what happens on the way to stderr; it is moved into its place after the
//! run, which is compiled with the old ones.

mod fit;
mod numbers;
mod samples;
mod source;

use std::process::ExitCode;

use tabiya_engine::tuning::Weights;

/// How many times the numbers are fitted: what is not linear in them is looked at anew each time.
const PASSES: usize = 2;

fn main() -> ExitCode {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() {
        eprintln!(
            "Which games? Give one or more PGN files with the engine's judgment beside the moves."
        );
        return ExitCode::from(2);
    }
    let mut games = Vec::new();
    for file in &files {
        match samples::read(file) {
            Ok(read) => games.extend(read),
            Err(error) => {
                eprintln!("{file}: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    let count: usize = games.iter().map(Vec::len).sum();
    eprintln!("{} games, {count} positions", games.len());
    let first = numbers::get(&Weights::STANDARD);
    let mut fitted = first.clone();
    for _ in 0..PASSES {
        fitted = fit::fit(&first, &fitted, &games);
    }
    print!("{}", source::of(&numbers::set(&fitted)));
    ExitCode::SUCCESS
}
