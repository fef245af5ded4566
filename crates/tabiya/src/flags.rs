//! The flags of the commands that open a board, with their help texts.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use clap::Args;
use tabiya_front::color::ColorChoice;
use tabiya_front::flags::{Draws, FlagError, engine_option};
use tabiya_game::TimeControl;
use tabiya_play::players::{EngineSpec, PlayerSpec, SpecError};
use tabiya_tools::train::TrainCommand;
use tabiya_train::item::ItemKind;
use tabiya_uci::SetOption;

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

/// The number of a start position of Chess960.
fn start_number(text: &str) -> Result<u16, FlagError> {
    let number = text.parse().ok().filter(|&number| number < 960);
    number.ok_or(FlagError::StartNumber)
}

/// Parses the kind of an exercise that is asked.
fn asked_kind(text: &str) -> Result<ItemKind, FlagError> {
    let mut kinds = [ItemKind::Own, ItemKind::Tactic].into_iter();
    let kind = kinds.find(|kind| kind.name() == text);
    kind.ok_or(FlagError::ItemKind)
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Train {
    #[command(subcommand)]
    pub(crate) command: Option<TrainCommand>,
    /// Only your own mistakes (own), or only tactics (tactic)
    #[arg(long, value_name = "KIND", value_parser = asked_kind)]
    pub(crate) kind: Option<ItemKind>,
    /// The most exercises
    #[arg(long, value_name = "N")]
    pub(crate) count: Option<NonZeroUsize>,
    /// The most minutes; the exercise that has begun is finished
    #[arg(long, value_name = "N")]
    pub(crate) minutes: Option<NonZeroU32>,
    /// Train line by line, as without a terminal
    #[arg(long, alias = "plain")]
    pub(crate) line: bool,
    /// Print one JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
    /// Whether to use colors, and how many
    #[arg(long, value_name = "COLORS", default_value = "auto")]
    pub(crate) color: ColorChoice,
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
