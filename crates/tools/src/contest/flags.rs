//! The flags of `tabiya match`.

use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::Args;
use tabiya_front::flags::count;
use tabiya_game::TimeControl;
use tabiya_play::contest::Rule;
use tabiya_play::contest::statistics::Sprt;
use tabiya_play::players::{PlayerSpec, entrant};

pub const EXAMPLES: &str = "\
Examples:
  tabiya match bot:4 bot:3 --games 200 --pgn levels.pgn
  tabiya match bot uci:stockfish --clock 5s+0.05s --concurrency 2
  tabiya match \"uci:/tmp/new/tabiya uci\" \"uci:/tmp/old/tabiya uci\" --nodes 20000 --games 2000 --sprt 0,5
  tabiya match bot:6 bot:5 --book book.bin --games 200
  tabiya match bot \"uci:stockfish?Skill Level=3&Hash=64\" --movetime 50

A player is bot (full strength), bot:LEVEL from 1 to 10, or uci: and an engine's name or path, with
arguments if the whole is quoted, and with options after a question mark. Levels below 10 have their own
node limits, whatever --nodes and --depth say.

Two games with swapped colors share an opening. The score is given from A's side: wins, draws and
losses; Elo with its 95 % error, or with the ends of that interval where it is lopsided, from pairs
of games; the likelihood that A is the stronger one. With --sprt the match ends as soon as the
results decide between two differences in Elo (5 % risk either way); exit code 1 says that the lower
one was accepted. Threefold repetition and fifty moves are draws, and there is no pondering. A player
that crashes, hangs or chooses no legal move loses the game and is started again; one that goes beyond
--nodes or --depth is told to stop, and its move counts. Ctrl-C ends the match cleanly: finished games
are kept and counted.

With --json every finished game is an object (event `game`: number, white, result, reason, plies,
fault) and the last one is the score (event `score`). Its wins, draws and losses count all games;
score, elo, elo_low, elo_high and superiority come from whole pairs, as the Elo of the text does.";

/// A match between two players.
#[derive(Debug, Args)]
pub struct Match {
    /// The first player
    #[arg(value_parser = entrant)]
    pub(crate) a: PlayerSpec,
    /// The second player
    #[arg(value_parser = entrant)]
    pub(crate) b: PlayerSpec,
    /// How many games to play at most
    #[arg(long, value_name = "N", default_value = "100", value_parser = count::<NonZeroU32>)]
    pub(crate) games: NonZeroU32,
    #[command(flatten)]
    pub(crate) limit: LimitFlags,
    /// Append every finished game to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) pgn: Option<PathBuf>,
    /// End the match when the results decide between two differences in Elo, such as 0,5
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub(crate) sprt: Option<Sprt>,
    /// How many games are played at once
    #[arg(long, value_name = "N", value_parser = count::<NonZeroUsize>)]
    pub(crate) concurrency: Option<NonZeroUsize>,
    /// Openings from a file: games (PGN) or a position a line (EPD, FEN); otherwise balanced random starts
    #[arg(long, value_name = "FILE", group = "opening")]
    pub(crate) openings: Option<PathBuf>,
    /// Openings from a Polyglot book, or from the folder of a database: from the start on, moves picked by weight
    #[arg(long, value_name = "FILE|DIR", group = "opening")]
    pub(crate) book: Option<PathBuf>,
    /// The greatest length of an opening from the file or the book, in plies
    #[arg(long, value_name = "N", default_value = "16", requires = "opening", value_parser = count::<NonZeroUsize>)]
    pub(crate) plies: NonZeroUsize,
    /// The random seed, to make a run reproducible; it also shuffles the openings of a file
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// End games early: resign:CENTIPAWNS:MOVES and draw:CENTIPAWNS:MOVES:FROM when both players agree for that many
    /// moves, length:MOVES as a draw; may be given several times, and is off by default
    #[arg(long, value_name = "RULE")]
    pub(crate) adjudicate: Vec<Rule>,
    /// Print one JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
}

/// How long the players may think; at most one of these.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub(crate) struct LimitFlags {
    /// A clock: minutes+seconds such as 5+3, or 5s+0.05s, which is the default
    #[arg(long, value_name = "TIME")]
    pub(crate) clock: Option<TimeControl>,
    /// A fixed number of nodes for each move
    #[arg(long, value_name = "N", value_parser = count::<NonZeroU64>)]
    pub(crate) nodes: Option<NonZeroU64>,
    /// A fixed time for each move, in milliseconds
    #[arg(long, value_name = "MS", value_parser = count::<NonZeroU64>)]
    pub(crate) movetime: Option<NonZeroU64>,
    /// A fixed depth in plies for each move
    #[arg(long, value_name = "N", value_parser = count::<NonZeroU32>)]
    pub(crate) depth: Option<NonZeroU32>,
}
