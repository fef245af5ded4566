//! The command line: what can be asked, in the words of the help.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use tabiya_game::TimeControl;
use tabiya_rules::Square;
use tabiya_uci::SetOption;

use crate::players::PlayerSpec;
use crate::tools::analyse::Analyse;
use crate::tools::contest::Match;
use crate::tools::engines::Engines;
use crate::tools::pgn::Pgn;
use crate::tui::color::Wish;

const EXAMPLES: &str = "\
Examples:
  tabiya
  tabiya play --clock 5+3
  tabiya moves
  tabiya status \"k6Q/8/K7/8/8/8/8/8 b - - 0 1\"
  tabiya perft 6 --threads 4
  tabiya pgn check games.pgn
  tabiya match bot:4 bot:3 --games 100

Exit codes: 0 fine; 1 the answer is \"no\" (a bad FEN, a refused position or move, a mismatch,
games with errors, a test that accepts its lower bound); 2 wrong flags; 3 a file or an engine could
not be used.";

const PLAY_EXAMPLES: &str = "\
Examples:
  tabiya play --clock 5+3
  tabiya play --black bot:4
  tabiya play --white uci:stockfish --option \"Skill Level=3\" --clock 3+2
  tabiya play --fen \"8/8/4k3/8/8/4K3/4P3/8 w - - 0 1\" --draws auto
  tabiya play --chess960=518
  tabiya play --resume
  tabiya play --resume \"My game\"
  printf 'f3\\ne5\\ng4\\nQh4\\n' | tabiya play --json

A line is a move (e2e4, Nf3) or a command; `help` lists the commands. After the end of a game the
next one begins from the standard start; `quit` and the end of the input leave. While an engine
thinks, resign, offer, takeback, pause, opponent and quit are done at once; other lines of a pipe
wait for the prompt. Without people the program ends with the game.

On a terminal every move is kept on disk before it is shown, unless the setting autosave is off;
through a pipe only a resumed game is. `save NAME`, `load NAME` and `saves` work everywhere.

With --json every line of the output is an object with the key event: `turn` (where the text has its
prompt: side, fen, check, legal_moves, claims, white_ms, black_ms), `moved` (ply, side, san, uci,
captured, check, clock_ms, fen), `claim_available` and `draw_claimed` (side, claims), `ended`
(result, winner, reason, text), `refused` (lines), `answer` (command, lines; for saves also saves: a
list of {name, white, black, date, result, moves, fen} or {name, problem}), `undone` and `redone`
(plies, fen), `went_to` (ply, fen), `new_game`, `position_loaded` and `game_loaded` (fen),
`draw_offered`, `draw_accepted`, `draw_declined`, `takeback_asked`, `takeback_granted`,
`takeback_declined`, `resigned` and `flag_fell` (side), `thinking` (side, player), `paused`,
`resumed`, `policy_changed` (draws), `annotated` (a mark, a comment or the order of variations was
changed), `question` (command, name, lines; the next line is the answer), `game` and `score` (of a
match, with the keys of `tabiya match --json`), `overrun` (by, text; a player of a match did not
keep to its limit and was told to stop), `goodbye`.";

const MOVES_EXAMPLES: &str = "\
Examples:
  tabiya moves
  tabiya moves \"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1\" --from e1
  tabiya moves 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1 --uci --chess960";

const STATUS_EXAMPLES: &str = "\
Examples:
  tabiya status \"k6Q/8/K7/8/8/8/8/8 b - - 0 1\"
  tabiya status --moves \"e2e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#\"
  tabiya status --moves \"Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8\" --json

Keys of --json: fen, status (ongoing, checkmate, stalemate, draw), winner (white, black or null),
reason (insufficient_material, threefold, fivefold, fifty, seventy_five or null), check, claims
(a list of {rule, count} or {rule, clock}), legal_moves (their number), clock (half-moves since the
last capture or pawn move), repetitions (how often the position has occurred).";

const PERFT_EXAMPLES: &str = "\
Examples:
  tabiya perft 5
  tabiya perft 4 --divide \"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -\"
  tabiya perft 7 --threads 8 --hash 1024
  tabiya perft --suite standard.txt --max-nodes 10000000

A suite has lines such as `FEN ;D1 20 ;D2 400`; empty lines and lines that begin with # are left
out, and so are positions of which every count is over --max-nodes. Positions that cannot arise in
play (checks that no move explains, too many pieces) are counted like all others.";

const PGN_EXAMPLES: &str = "\
Examples:
  tabiya pgn check games.pgn
  tabiya pgn stats games.pgn.zst
  tabiya pgn filter games.pgn --player carlsen --result 1-0 > won.pgn
  tabiya pgn fens games.pgn --last";

const UCI_EXAMPLES: &str = "\
Examples:
  printf 'position startpos moves e2e4\\ngo depth 3\\n' | tabiya uci

It obeys while it searches. Beside the protocol it knows `d` (draw the position), `go perft N` and
`bench`. It plays as well as it can, unless UCI_LimitStrength is on: then it plays like somebody rated
UCI_Elo, mistakes included. What such a player overlooks is different in each session, unless Seed is
set to something other than 0. The command `uci` lists all options with their ranges.";

const BENCH_EXAMPLES: &str = "\
Examples:
  tabiya bench";

const SHOW_EXAMPLES: &str = "\
Examples:
  tabiya show startpos
  tabiya show \"8/8/4k3/8/8/4K3/4P3/8 w - - 0 1\" --figures --flip
  tabiya show startpos --svg board.svg";

const REVIEW_EXAMPLES: &str = "\
Examples:
  tabiya review games.pgn
  tabiya review save \"My game\"
  tabiya review \"8/8/4k3/8/8/4K3/4P3/8 w - - 0 1\"

A file of any size opens at once, also one compressed with zstd; its games are listed while they are
found, and typing searches the players.";

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  tabiya completions bash > ~/.local/share/bash-completion/completions/tabiya
  tabiya completions fish > ~/.config/fish/completions/tabiya.fish";

const MAN_EXAMPLES: &str = "\
Examples:
  tabiya man > tabiya.1
  tabiya man perft > tabiya-perft.1";

/// Chess for the terminal
///
/// Without a command, the full screen opens; without a terminal a game begins line by line.
#[derive(Debug, Parser)]
#[command(name = "tabiya", version, after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) look: Look,
}

impl Cli {
    /// The definition that completions and manual pages are made from.
    pub(crate) fn definition() -> clap::Command {
        <Cli as CommandFactory>::command()
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play a game
    #[command(after_help = PLAY_EXAMPLES)]
    Play(Box<Play>),
    /// List the legal moves of a position, sorted, one a line
    #[command(after_help = MOVES_EXAMPLES)]
    Moves(Moves),
    /// Say how a position stands: ongoing, checkmate, stalemate, draw, and what can be claimed
    #[command(after_help = STATUS_EXAMPLES)]
    Status(Status),
    /// Count the positions some moves away, or check a file of such counts
    #[command(after_help = PERFT_EXAMPLES)]
    Perft(Perft),
    /// Check, count, filter and convert files of games
    #[command(subcommand, after_help = PGN_EXAMPLES)]
    Pgn(Pgn),
    /// Play a match between two engines or levels, and say what it tells about their strength
    #[command(after_help = crate::tools::contest::EXAMPLES)]
    Match(Box<Match>),
    /// Say what an engine thinks of a position, or of the games of a file
    #[command(after_help = crate::tools::analyse::EXAMPLES)]
    Analyse(Box<Analyse>),
    /// List the engines that are known by name, or check one
    #[command(after_help = crate::tools::engines::EXAMPLES)]
    Engines(Engines),
    /// Be a UCI engine on stdin and stdout, for any chess interface
    #[command(after_help = UCI_EXAMPLES)]
    Uci,
    /// Search a fixed set of positions; the count is the same on every machine
    #[command(after_help = BENCH_EXAMPLES)]
    Bench,
    /// Look at the games of a file, or at a position
    #[command(after_help = REVIEW_EXAMPLES)]
    Review(Review),
    /// Draw a position as text, or as a picture
    #[command(after_help = SHOW_EXAMPLES)]
    Show(Show),
    /// Print a completion script for a shell
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page of the program, or of one command
    #[command(after_help = MAN_EXAMPLES)]
    Man {
        /// The command
        command: Option<String>,
    },
}

/// How a game is shown.
#[derive(Debug, Args)]
pub(crate) struct Look {
    /// Play line by line, as without a terminal
    #[arg(long, alias = "plain")]
    pub(crate) line: bool,
    /// Print one JSON object a line, for programs that play
    #[arg(long)]
    pub(crate) json: bool,
    /// Whether to use colors, and how many
    #[arg(long, value_name = "COLORS", default_value = "auto")]
    pub(crate) color: Wish,
}

#[derive(Debug, Args)]
pub(crate) struct Play {
    /// Who plays White: human, bot, bot:LEVEL (1 to 10), uci:NAME or uci:PATH
    #[arg(long, value_name = "PLAYER", default_value = "human")]
    pub(crate) white: PlayerSpec,
    /// Who plays Black, likewise
    #[arg(long, value_name = "PLAYER", default_value = "human")]
    pub(crate) black: PlayerSpec,
    /// An option for the UCI engines that play, such as "Skill Level=3"; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = engine_option)]
    pub(crate) options: Vec<SetOption>,
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
    /// Begin from a start position of Chess960, by its number from 0 to 959 or by chance; with --fen, castle as in
    /// Chess960
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true,
        value_parser = clap::value_parser!(u16).range(0..960))]
    pub(crate) chess960: Option<Option<u16>>,
    /// Make what is left to chance come out the same each time
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Play a saved game on: the one of this name, or the last one that is not over
    #[arg(long, value_name = "NAME", num_args = 0..=1,
        conflicts_with_all = ["fen", "white", "black", "chess960", "clock", "draws"])]
    pub(crate) resume: Option<Option<String>>,
    #[command(flatten)]
    pub(crate) look: Look,
}

/// An option as it is typed; a button has no value.
pub(crate) fn engine_option(text: &str) -> Result<SetOption, String> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name.trim(), Some(value.trim().to_owned())),
        None => (text.trim(), None),
    };
    if name.is_empty() {
        return Err("an option is written NAME=VALUE".to_owned());
    }
    let name = name.to_owned();
    Ok(SetOption { name, value })
}

/// The position that most commands are about.
#[derive(Debug, Args)]
pub(crate) struct Place {
    /// The position: a FEN in one argument or as bare fields, or `startpos`, which is the default
    #[arg(value_name = "FEN")]
    pub(crate) fen: Vec<String>,
    /// Write and read castling as in Chess960 (king takes rook); a Shredder-FEN does so by itself
    #[arg(long)]
    pub(crate) chess960: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Moves {
    #[command(flatten)]
    pub(crate) place: Place,
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
    pub(crate) place: Place,
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

/// Who decides about threefold repetition and fifty moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Draws {
    /// The player to move claims them
    Claim,
    /// They end the game at once
    Auto,
}

/// A number that says how many of something.
pub(crate) fn count<T: FromStr>(text: &str) -> Result<T, String> {
    let wrong = |_| "a whole number from 1 on is wanted".to_owned();
    text.parse().map_err(wrong)
}

fn depth(text: &str) -> Result<u8, String> {
    let wrong = |_| "a depth is wanted: a whole number from 0 to 255".to_owned();
    text.parse().map_err(wrong)
}

#[derive(Debug, Args)]
pub(crate) struct Perft {
    /// How many moves of either side deep to count
    #[arg(required_unless_present = "suite", conflicts_with = "suite", value_parser = depth)]
    pub(crate) depth: Option<u8>,
    #[command(flatten)]
    pub(crate) place: Place,
    /// Also print the count below each move
    #[arg(long, conflicts_with = "suite")]
    pub(crate) divide: bool,
    /// How many threads count
    #[arg(long, value_name = "N", default_value = "1", value_parser = count::<NonZeroUsize>)]
    pub(crate) threads: NonZeroUsize,
    /// Look positions up that were counted before, in a table of this many MiB
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
    /// Whether to use colors, and how many
    #[arg(long, value_name = "COLORS", default_value = "auto")]
    pub(crate) color: Wish,
}
