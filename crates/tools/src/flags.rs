//! The flags of the commands about one position, with their help texts. Larger tools have their flags beside them.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use tabiya_front::flags::{Draws, FlagError, PositionArgs, count};
use tabiya_rules::Square;

#[derive(Debug, Args)]
pub struct Moves {
    #[command(flatten)]
    pub(crate) position: PositionArgs,
    /// Print coordinates such as e2e4 instead of algebraic notation
    #[arg(long)]
    pub(crate) uci: bool,
    /// Only the moves from this square
    #[arg(long, value_name = "SQUARE")]
    pub(crate) from: Option<Square>,
    /// Print one JSON object with the keys fen and moves
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub struct Status {
    #[command(flatten)]
    pub(crate) position: PositionArgs,
    /// Moves to play first, in coordinates or algebraic notation, separated by spaces
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub(crate) moves: Option<String>,
    /// Whether threefold repetition and the 50-move rule must be claimed or end the game at once
    #[arg(long, value_name = "POLICY", default_value = "claim")]
    pub(crate) draws: Draws,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

fn depth(text: &str) -> Result<u8, FlagError> {
    text.parse().map_err(|_| FlagError::Depth)
}

#[derive(Debug, Args)]
pub struct Perft {
    /// The depth to count to, in plies
    #[arg(required_unless_present = "suite", conflicts_with = "suite", value_parser = depth)]
    pub(crate) depth: Option<u8>,
    #[command(flatten)]
    pub(crate) position: PositionArgs,
    /// Also print the count below each move
    #[arg(long, conflicts_with = "suite")]
    pub(crate) divide: bool,
    /// How many threads count
    #[arg(long, value_name = "N", default_value = "1", value_parser = count::<NonZeroUsize>)]
    pub(crate) threads: NonZeroUsize,
    /// Reuse counts from a hash table of this many MiB
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub(crate) hash: Option<u32>,
    /// Check the counts in a file (`-` is stdin)
    #[arg(long, value_name = "FILE")]
    pub(crate) suite: Option<PathBuf>,
    /// Skip larger counts in the file
    #[arg(long, value_name = "N", requires = "suite", conflicts_with = "depth")]
    pub(crate) max_nodes: Option<u64>,
    /// Print JSON: one object, or with --suite one for each mismatch and one for the summary
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub struct Show {
    /// The position: a FEN in one argument or as bare fields, or `startpos`, which is the default
    #[arg(value_name = "FEN")]
    pub(crate) fen: Vec<String>,
    /// Draw chess figures instead of letters
    #[arg(long)]
    pub(crate) figures: bool,
    /// Put Black's side at the bottom
    #[arg(long)]
    pub(crate) flip: bool,
    /// Write a picture to this file instead; only another picture is replaced
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}
