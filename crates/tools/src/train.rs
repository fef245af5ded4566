//! The commands below `tabiya train`: what is trained is looked for, listed, rated and written. Training itself is a front's.

mod add;
mod games;
mod list;
mod mine;
mod puzzles;
mod rate;

use clap::Subcommand;
use tabiya_front::failure::Failure;
use tabiya_front::training::Learner;

use add::Add;
use list::List;
use mine::Mine;
use rate::Rate;

#[derive(Debug, Subcommand)]
pub enum TrainCommand {
    /// Add exercises: from your games, or from files of puzzles
    #[command(after_help = add::EXAMPLES)]
    Add(Add),
    /// Write the tactics of any games as a table
    #[command(after_help = mine::EXAMPLES)]
    Mine(Mine),
    /// Estimate how hard the puzzles of a file are
    #[command(after_help = rate::EXAMPLES)]
    Rate(Rate),
    /// List the exercises and when they are due
    #[command(after_help = list::EXAMPLES)]
    List(List),
}

pub fn run(command: &TrainCommand, learner: &Learner) -> Result<(), Failure> {
    match command {
        TrainCommand::Add(args) => add::run(args, learner),
        TrainCommand::Mine(args) => mine::run(args),
        TrainCommand::Rate(args) => rate::run(args),
        TrainCommand::List(args) => list::run(args, learner),
    }
}
