//! The command line: commands and their help texts.

use std::ffi::OsString;

use crate::flags::{DisplayFlags, Play, Review, Train};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use tabiya_tools::flags::{Moves, Perft, Show, Status};

use tabiya_tools::analyse::Analyse;
use tabiya_tools::book::Book;
use tabiya_tools::contest::Match;
use tabiya_tools::db::Db;
use tabiya_tools::engines::Engines;
use tabiya_tools::explorer::ExplorerFlags;
#[cfg(feature = "import")]
use tabiya_tools::import::Import;
use tabiya_tools::pgn::Pgn;
#[cfg(feature = "serve")]
use tabiya_tools::{export::Export, serve::Serve};

const EXAMPLES: &str = "\
Examples:
  tabiya
  tabiya play --clock 5+3
  tabiya moves
  tabiya status \"k6Q/8/K7/8/8/8/8/8 b - - 0 1\"
  tabiya perft 6 --threads 4
  tabiya pgn check games.pgn
  tabiya match bot:4 bot:3 --games 100

Exit codes: 0 success; 1 the answer is \"no\" (a bad FEN, a refused position or move, a mismatch,
games with errors, a test that accepts its lower bound); 2 wrong flags; 3 a file or an engine could
not be used.";

const PLAY_EXAMPLES: &str = "\
Examples:
  tabiya play --clock 5+3
  tabiya play --black bot:4
  tabiya play --white uci:stockfish --option \"Skill Level=3\" --clock 3+2
  tabiya play --fen \"8/8/4k3/8/8/4K3/4P3/8 w - - 0 1\" --draws automatic
  tabiya play --chess960=518
  tabiya play --resume
  tabiya play --resume \"My game\"
  tabiya play --join http://127.0.0.1:8080/game/0123456789abcdef#...
  printf 'f3\\ne5\\ng4\\nQh4\\n' | tabiya play --json

A line is a move (e2e4, Nf3) or a command; `help` lists the commands. After the end of a game the
next one begins from the standard start; `quit` and the end of the input leave. While an engine
thinks, resign, offer, takeback, pause, opponent and quit are done at once; other lines of a pipe
wait for the prompt. If no person plays, the program exits when the game ends.

On a terminal every move is saved to disk before it is shown, unless the setting autosave is off;
through a pipe only a resumed game is. `save NAME`, `load NAME` and `saves` work everywhere.

With --json every line of the output is an object with the key event: `turn` (where the text has its
prompt: side, fen, check, legal_moves, claims, white_ms, black_ms), `moved` (ply, side, san, uci,
captured, check, clock_ms, fen), `claim_available` (side, claims), `draw_claimed` (side,
claims, intended), `ended` (result, winner, reason, text), `refused` (code, lines), `answer`
(command, lines; for saves also saves: a list of {name, white, black, date, result, moves, fen,
opening} or {name, problem}), `explored` (with the keys of `tabiya explorer --json`), `undone` and `redone`
(plies, fen), `went_to` (ply, fen), `new_game`, `position_loaded` and `game_loaded` (fen),
`draw_offered`, `draw_accepted`, `draw_declined`, `draw_lapsed`, `takeback_asked`,
`takeback_granted`, `takeback_declined`, `takeback_lapsed`, `resigned` and `flag_fell` (side), `thinking` (side, player), `paused`,
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
(a list of {rule, count} or {rule, clock}), legal_moves (their number), clock (plies since the
last capture or pawn move), repetitions (how often the position has occurred), opening ({eco, name} of
the last position that has a name, or null).";

const PERFT_EXAMPLES: &str = "\
Examples:
  tabiya perft 5
  tabiya perft 4 --divide \"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -\"
  tabiya perft 7 --threads 8 --hash 1024
  tabiya perft --suite standard.txt --max-nodes 10000000

A suite has lines such as `FEN ;D1 20 ;D2 400`; empty lines and lines that begin with # are left
out, and so are positions whose counts all exceed --max-nodes. Positions that cannot arise in
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

It accepts commands while it searches. Besides the standard commands it knows `d` (draw the position),
`go perft N` and `bench`. It plays as well as it can, unless UCI_LimitStrength is on: then it plays like
somebody rated UCI_Elo, mistakes included. Its greatest value is full strength, measured on the
CCRL Blitz scale; those below are on the scale of the levels. What such a player overlooks is different in each session,
unless Seed is set to something other than 0. The command `uci` lists all options with their ranges.";

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

const TRAIN_EXAMPLES: &str = "\
Examples:
  tabiya train
  tabiya train --minutes 10
  tabiya train --kind tactic --count 10
  tabiya train add club-2026.pgn
  tabiya train add puzzles.csv --rating 1300-1600
  tabiya train list --theme time

The exercises are the mistakes of your games. While this is open, your saved and imported games are searched
for them, unless the machine runs on battery (the setting train.mining). A game is yours if you played it
against an engine, or if a player has the name of the setting `name` or one of train.names. Each exercise
comes back when you are about to forget it; at most twenty are asked a day, and five new ones. An answer is
on disk before you see what it was worth. A good move that is not the best one counts as right, too. Tactics,
from your games or from a file of puzzles, may have several moves: the replies are played for you. Your rating
follows from your first attempts at them; that of an exercise is an estimate unless its file has one.

A line is a move (Nf3, g1f3), or hint, show, later, easy, undo, board, fen, help or quit.

With --json every line of the output is an object with the key event: `exercise` (id, kind, number, of, new,
again, side, fen, last, played, from, ply, opponent, date, rating), `judged` (id, san, verdict, grade, loss,
reply, line, due, learned), `answer` and `refused` as with `tabiya play`, and at the end `session` (asked,
solved, at_once, tomorrow, exercises, rating).";

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  tabiya completions bash > ~/.local/share/bash-completion/completions/tabiya
  tabiya completions fish > ~/.config/fish/completions/tabiya.fish";

const MAN_EXAMPLES: &str = "\
Examples:
  tabiya man > tabiya.1
  tabiya man perft > tabiya-perft.1
  tabiya man pgn check > tabiya-pgn-check.1";

/// Chess for the terminal
///
/// Without a command, the full screen opens; without a terminal a game begins line by line.
#[derive(Debug, Parser)]
#[command(name = "tabiya", version, after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) display: DisplayFlags,
}

impl Cli {
    /// The definition for completions and manual pages.
    pub(crate) fn definition() -> clap::Command {
        <Cli as CommandFactory>::command()
    }

    /// Parses a command line. Flags before a command are taken as if they came after it.
    pub(crate) fn read(words: &[OsString]) -> Result<Cli, clap::Error> {
        let error = match Cli::try_parse_from(words) {
            Err(error) if error.use_stderr() => error,
            done => return done,
        };
        if let [program, command, flag] = words
            && command == "help"
            && (flag == "--help" || flag == "-h")
        {
            return Cli::try_parse_from([program, command]);
        }
        match flags_last(words) {
            Some(reordered) => Cli::try_parse_from(reordered),
            None => Err(with_place(error)),
        }
    }
}

/// The same command line with the flags before the command moved after it; `None` if there are none.
fn flags_last(words: &[OsString]) -> Option<Vec<OsString>> {
    let program = Cli::definition();
    let find =
        |parent: &clap::Command, word: &OsString| parent.find_subcommand(word.to_str()?).cloned();
    let is_command = |word: &OsString| find(&program, word).is_some();
    let first = words.iter().skip(1).position(is_command)? + 1;
    let (before, rest) = words.split_at_checked(first)?;
    let (name, flags) = before.split_first()?;
    let mut parent = program;
    let commands = rest.iter().take_while(|word| {
        let found = find(&parent, word);
        found.map(|command| parent = command).is_some()
    });
    let (commands, arguments) = rest.split_at_checked(commands.count())?;
    let parts = [std::slice::from_ref(name), commands, flags, arguments];
    (!flags.is_empty()).then(|| parts.concat())
}

/// Adds to the error about an unknown flag which commands have it.
fn with_place(mut error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    let long = flag.strip_prefix("--").map(str::to_owned);
    let program = Cli::definition();
    let has_it = |command: &&clap::Command| {
        command
            .get_arguments()
            .any(|argument| argument.get_long() == long.as_deref())
    };
    let owners: Vec<String> = program
        .get_subcommands()
        .filter(has_it)
        .map(|command| format!("'tabiya {} {flag}'", command.get_name()))
        .collect();
    let is_unknown = error.kind() == ErrorKind::UnknownArgument && long.is_some();
    if is_unknown && !owners.is_empty() {
        let tip = format!("it is a flag of a command: {}", owners.join(", "));
        let tips = ContextValue::StyledStrs(vec![tip.into()]);
        error.insert(ContextKind::Suggested, tips);
    }
    error
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play a game
    #[command(after_help = PLAY_EXAMPLES)]
    Play(Box<Play>),
    /// List the legal moves of a position, sorted, one a line
    #[command(after_help = MOVES_EXAMPLES)]
    Moves(Moves),
    /// Show the status of a position: ongoing, checkmate, stalemate or draw, and possible claims
    #[command(after_help = STATUS_EXAMPLES)]
    Status(Status),
    /// Count the leaf nodes at a depth, or check a file of such counts
    #[command(after_help = PERFT_EXAMPLES)]
    Perft(Perft),
    /// Check, count, filter and convert files of games
    #[command(subcommand, after_help = PGN_EXAMPLES)]
    Pgn(Pgn),
    /// Build an opening book in the Polyglot format, or look into one
    #[command(subcommand, after_help = tabiya_tools::book::EXAMPLES)]
    Book(Book),
    /// Build a database of games, add to it, or say what it holds
    #[command(subcommand, after_help = tabiya_tools::db::EXAMPLES)]
    Db(Db),
    /// Say what was played in a position, with results and games, from a database
    #[command(after_help = tabiya_tools::explorer::EXAMPLES)]
    Explorer(Box<ExplorerFlags>),
    /// Play a match between two engines or levels, and estimate their difference in strength
    #[command(after_help = tabiya_tools::contest::EXAMPLES)]
    Match(Box<Match>),
    /// Analyze a position, or the games of a file, with an engine
    #[command(after_help = tabiya_tools::analyse::EXAMPLES)]
    Analyse(Box<Analyse>),
    /// List the engines that are known by name, or check one
    #[command(after_help = tabiya_tools::engines::EXAMPLES)]
    Engines(Engines),
    /// Run the built-in engine on stdin and stdout, for any UCI chess GUI
    #[command(after_help = UCI_EXAMPLES)]
    Uci,
    /// Search a fixed set of positions; the count is the same on every machine
    #[command(after_help = BENCH_EXAMPLES)]
    Bench,
    /// Look at the games of a file, or at a position
    #[command(after_help = REVIEW_EXAMPLES)]
    Review(Review),
    /// Play in the browser, alone or with others over a network
    #[cfg(feature = "serve")]
    #[command(after_help = tabiya_tools::serve::EXAMPLES)]
    Serve(Serve),
    /// Export a game as a stand-alone web page
    #[cfg(feature = "serve")]
    #[command(after_help = tabiya_tools::export::EXAMPLES)]
    Export(Export),
    /// Train on the mistakes of your own games
    #[command(after_help = TRAIN_EXAMPLES)]
    Train(Train),
    /// Fetch your own games from Lichess or chess.com, for the training
    #[cfg(feature = "import")]
    #[command(after_help = tabiya_tools::import::EXAMPLES)]
    Import(Import),
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
        /// The command, such as `perft` or `pgn check`
        command: Vec<String>,
    },
}
