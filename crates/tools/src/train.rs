//! The commands below `tabiya train`: exercises are added and rated. Training itself is a front's.

mod add;
mod puzzles;
mod rate;

use clap::Subcommand;
use tabiya_front::failure::Failure;
use tabiya_front::training::Learner;

use add::Add;
use rate::Rate;

#[derive(Debug, Subcommand)]
pub enum TrainCommand {
    /// Add exercises from a file of puzzles
    #[command(after_help = add::EXAMPLES)]
    Add(Add),
    /// Estimate how hard the puzzles of a file are
    #[command(after_help = rate::EXAMPLES)]
    Rate(Rate),
}

pub fn run(command: &TrainCommand, learner: &Learner) -> Result<(), Failure> {
    match command {
        TrainCommand::Add(args) => add::run(args, learner),
        TrainCommand::Rate(args) => rate::run(args),
    }
}
