//! `tabiya train add`: adds exercises to the record.

use std::path::PathBuf;

use clap::Args;
use tabiya_front::failure::Failure;
use tabiya_front::training::Learner;

use super::puzzles;

pub(super) const EXAMPLES: &str = "\
Examples:
  tabiya train add lichess_db_puzzle.csv.zst --rating 1300-1600 --themes fork,pin --count 200
  tabiya train add tactics.csv

The file has the form of the Lichess puzzle database, plain or compressed: a line that names the columns
(PuzzleId, FEN, Moves, Rating, RatingDeviation, Themes; the others are passed over), then one puzzle a line,
whose first move is the opponent's. Those that suit are taken in the order of the file. A puzzle without a
rating gets an estimate, and one without themes those that its solution shows. `tabiya train` asks a few new
ones each day, near your rating.

Keys of --json: read (rows), added, known (were there already), unreadable (rows). Exit code 1 means that
nothing was added.";

#[derive(Debug, Args)]
pub struct Add {
    /// Files of puzzles (.csv), also compressed; `-` is stdin
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    choice: puzzles::Choice,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Add, learner: &Learner) -> Result<(), Failure> {
    puzzles::add(&args.files, &args.choice, args.json, learner)
}
