//! The flags of the commands, with their help texts. Those of the larger tools are with the tools.

use std::hash::{BuildHasher, RandomState};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use tabiya_game::TimeControl;
use tabiya_play::players::{EngineSpec, PlayerSpec, SpecError};
use tabiya_rules::{Position, SplitMix64, Square};
use tabiya_uci::SetOption;
use thiserror::Error;

use crate::failure::Failure;
use crate::position;
use crate::tui::color::ColorChoice;

/// How a game is shown.
#[derive(Debug, Args)]
pub(crate) struct DisplayFlags {
    /// Play line by line, as without a terminal
    #[arg(long, alias = "plain")]
    pub(crate) line: bool,
    /// Print one JSON object a line, for programs that play
    #[arg(long)]
    pub(crate) json: bool,
    /// Whether to use colors, and how many
    #[arg(long, value_name = "COLORS", default_value = "auto")]
    pub(crate) color: ColorChoice,
}

#[derive(Debug, Args)]
pub(crate) struct Play {
    /// Who plays White: human, bot, bot:LEVEL (1 to 10), uci:NAME or uci:PATH [default: human]
    #[arg(long, value_name = "PLAYER")]
    pub(crate) white: Option<PlayerSpec>,
    /// Who plays Black, likewise [default: human; on a terminal the setting game.opponent, if neither side is given]
    #[arg(long, value_name = "PLAYER")]
    pub(crate) black: Option<PlayerSpec>,
    /// An option for the UCI engines that play, such as "Skill Level=3"; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = engine_option)]
    pub(crate) options: Vec<SetOption>,
    /// A Polyglot book, or the folder of a database, from which the bots play as long as it has moves [default: the setting game.book on a terminal]
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) book: Option<PathBuf>,
    /// The database for the explorer [default: the setting db.path on a terminal]
    #[arg(long, value_name = "DIR")]
    pub(crate) db: Option<PathBuf>,
    /// The position to begin from: a FEN or `startpos`
    #[arg(long)]
    pub(crate) fen: Option<String>,
    /// The time for each side: minutes+seconds such as 5+3, or 5s+0.05s, or 40/90+30:30+30
    #[arg(long, value_name = "TIME")]
    pub(crate) clock: Option<TimeControl>,
    /// Whether threefold repetition and the 50-move rule must be claimed or end the game at once
    /// [default: the setting game.draws on a terminal, else claim]
    #[arg(long, value_name = "POLICY", verbatim_doc_comment)]
    pub(crate) draws: Option<Draws>,
    /// Start from a Chess960 position, by number (0 to 959) or random; with --fen, castle as in Chess960
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true,
        value_parser = start_number)]
    pub(crate) chess960: Option<Option<u16>>,
    /// The random seed, to make a run reproducible
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Resume a saved game: the one of this name, or the latest unfinished one
    #[arg(long, value_name = "NAME", num_args = 0..=1,
        conflicts_with_all = ["fen", "white", "black", "chess960", "clock", "draws"])]
    pub(crate) resume: Option<Option<String>>,
    /// Play or watch the game of a link from `tabiya serve`
    #[cfg(feature = "serve")]
    #[arg(long, value_name = "URL", value_parser = crate::join::typed_link,
        conflicts_with_all = ["resume", "fen", "white", "black", "chess960", "clock", "draws"])]
    pub(crate) join: Option<crate::join::TypedLink>,
    /// Let a saved game start this engine even if config.toml does not name it: its name, path or command line as in
    /// the save; may be given several times
    #[arg(long, value_name = "ENGINE", value_parser = allowed_engine)]
    pub(crate) allow_engine: Vec<EngineSpec>,
    #[command(flatten)]
    pub(crate) display: DisplayFlags,
}

/// Parses an engine, with or without `uci:`.
fn allowed_engine(text: &str) -> Result<EngineSpec, SpecError> {
    text.strip_prefix("uci:").unwrap_or(text).parse()
}

/// Parses an option. A button has no value.
pub(crate) fn engine_option(text: &str) -> Result<SetOption, FlagError> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name.trim(), Some(value.trim().to_owned())),
        None => (text.trim(), None),
    };
    if name.is_empty() {
        return Err(FlagError::Option);
    }
    let name = name.to_owned();
    Ok(SetOption { name, value })
}

/// The position that most commands are about.
#[derive(Debug, Args)]
pub(crate) struct PositionArgs {
    /// The position: a FEN in one argument or as bare fields, or `startpos`, which is the default
    #[arg(value_name = "FEN")]
    fen: Vec<String>,
    /// Write and read castling as in Chess960 (king takes rook); a Shredder-FEN does so by itself
    #[arg(long)]
    chess960: bool,
}

impl PositionArgs {
    /// The position that the flags describe.
    pub(crate) fn read(&self) -> Result<Position, Failure> {
        let mode = position::castling_mode(self.chess960);
        Ok(position::read(&self.fen, mode)?)
    }
}

#[derive(Debug, Args)]
pub(crate) struct Moves {
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
pub(crate) struct Status {
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

/// Who decides about threefold repetition and the 50-move rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Draws {
    /// The player to move claims them
    Claim,
    /// They end the game at once
    #[value(alias = "auto")]
    Automatic,
}

/// Random numbers from the seed of a flag, or unpredictable ones.
pub(crate) fn random(seed: Option<u64>) -> SplitMix64 {
    SplitMix64::new(seed.unwrap_or_else(|| RandomState::new().hash_one("tabiya")))
}

/// Parses a count.
pub(crate) fn count<T: FromStr>(text: &str) -> Result<T, FlagError> {
    text.parse().map_err(|_| FlagError::Count)
}

/// The number of a start position of Chess960.
fn start_number(text: &str) -> Result<u16, FlagError> {
    let number = text.parse().ok().filter(|&number| number < 960);
    number.ok_or(FlagError::StartNumber)
}

fn depth(text: &str) -> Result<u8, FlagError> {
    text.parse().map_err(|_| FlagError::Depth)
}

/// Why a flag refuses a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum FlagError {
    #[error("the start positions of Chess960 are numbered from 0 to 959")]
    StartNumber,
    #[error("an option is written NAME=VALUE")]
    Option,
    #[error("expected a whole number, at least 1")]
    Count,
    #[error("expected a depth: a whole number from 0 to 255")]
    Depth,
}

#[derive(Debug, Args)]
pub(crate) struct Perft {
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
    /// Leave larger counts of the file out
    #[arg(long, value_name = "N", requires = "suite", conflicts_with = "depth")]
    pub(crate) max_nodes: Option<u64>,
    /// Print JSON: one object, or with --suite one for each mismatch and one for the summary
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Show {
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

#[derive(Debug, Args)]
pub(crate) struct Review {
    /// A file of games in PGN, `save NAME`, or a position as FEN in one argument or as bare fields, or `startpos`
    #[arg(value_name = "FILE|FEN", required = true)]
    pub(crate) what: Vec<String>,
    /// The database that the explorer asks [default: the setting db.path]
    #[arg(long, value_name = "DIR")]
    pub(crate) db: Option<PathBuf>,
    /// Whether to use colors, and how many
    #[arg(long, value_name = "COLORS", default_value = "auto")]
    pub(crate) color: ColorChoice,
}
