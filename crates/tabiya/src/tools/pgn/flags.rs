//! The flags of `tabiya pgn`, in the words of the help.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::criteria::{Dates, Ecos, Material, Numbers};
use crate::flags::count;

const CHECK_EXAMPLES: &str = "\
Examples:
  tabiya pgn check games.pgn
  tabiya pgn check *.pgn --threads 4
  tabiya pgn check games.pgn --warnings
  curl -s https://example.org/games.pgn.zst | tabiya pgn check --json

Every error is a line `file:line:column: game N, White – Black: sentence`; the last line is
`N games, N moves, N errors`, with `, N warnings` if there are any. Moves in variations are checked too,
but only those of the main lines are counted there; --json counts both. Warnings are about games that
can be read and contradict themselves or the standard, each kind counted by itself: result_mismatch (the
Result tag is not the result after the moves), final_position (mate or stalemate on the board, and
another result), null_move (in the main line), missing_termination, impossible_result, doubled_tag,
stray_text (outside all games). They have the place where the game begins.
Exit code 1 means that there are errors, or text and no game, 3 that a file could not be read to its end.";

const STATS_EXAMPLES: &str = "\
Examples:
  tabiya pgn stats games.pgn
  tabiya pgn stats 2023.pgn.zst 2024.pgn.zst --top 25
  tabiya pgn stats games.pgn --json

An opening is the ECO tag, or the first four moves where there is none. The first 100,000 players and
as many openings are counted one by one, and all others together. Only main lines are read. Keys of
--json: games, moves, errors, results, lengths, openings, years, players, other_openings, other_players.";

const FILTER_EXAMPLES: &str = "\
Examples:
  tabiya pgn filter games.pgn --player carlsen --result 1-0 > won.pgn
  tabiya pgn filter games.pgn --elo 2600.. --date 2020..2022 --eco B20..B99
  tabiya pgn filter games.pgn --material KRPvKR --plies 80..
  tabiya pgn filter games.pgn --position \"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\"

A game is written if all that is asked for holds. Its text is copied byte for byte (to a terminal, with
control characters spelled out), unless the games after it would suffer: then it gets a `*` at its end,
or, if it ends inside a comment, is written anew from what could be read. Text in other encodings is
written in UTF-8. Every word of a name or event must begin a word of the tag, whatever the case: so finds
So and Sokolov, and =so or '\"so\"' only So. Dates are those of the Date tag, or of UTCDate where there is
none. Positions and material are looked for in main lines. Ranges such as 2600..2700 include their ends,
and either end may be left out. Exit code 1 means that there are errors in games that were written, or that a game of more
than 8 MiB had to be left out.";

const FENS_EXAMPLES: &str = "\
Examples:
  tabiya pgn fens game.pgn
  tabiya pgn fens games.pgn --last
  tabiya pgn fens games.pgn | sort -u | wc -l

Keys of --json: file, offset (where the game begins, in bytes), ply, move (null for a start position or
a null move) and fen. Only main lines are read. Exit code 1 means that there are errors in them.";

/// Check, count, filter and convert files of games
#[derive(Debug, Subcommand)]
pub(crate) enum Pgn {
    /// Check every move of every game, and print each error with its place
    #[command(after_help = CHECK_EXAMPLES)]
    Check(Check),
    /// Count results, lengths, openings, years and players
    #[command(after_help = STATS_EXAMPLES)]
    Stats(Stats),
    /// Write the games for which something holds
    #[command(after_help = FILTER_EXAMPLES)]
    Filter(Box<Filter>),
    /// Print the position after every move as a FEN, one a line
    #[command(after_help = FENS_EXAMPLES)]
    Fens(Fens),
}

/// What all four commands read, and how.
#[derive(Debug, Args)]
pub(crate) struct Reading {
    /// Files of games; `-`, or none, is stdin. Files compressed with zstd, gzip or bzip2, and text in UTF-16, are
    /// recognized by their content
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// How many threads read; all cores without this. The output is the same
    #[arg(long, value_name = "N", value_parser = count::<NonZeroUsize>)]
    pub(crate) threads: Option<NonZeroUsize>,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// List the warnings too
    #[arg(long)]
    pub(crate) warnings: bool,
    /// Print one JSON object for each error, and for each warning with --warnings, and one for the counts
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Stats {
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// How many openings and players to list; 0 lists all
    #[arg(long, value_name = "N", default_value = "10")]
    pub(crate) top: usize,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Filter {
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// A name of either player
    #[arg(long, value_name = "NAME")]
    pub(crate) player: Option<String>,
    /// A name of the player of White
    #[arg(long, value_name = "NAME")]
    pub(crate) white: Option<String>,
    /// A name of the player of Black
    #[arg(long, value_name = "NAME")]
    pub(crate) black: Option<String>,
    /// The ratings of both players lie in this range
    #[arg(long, value_name = "RANGE")]
    pub(crate) elo: Option<Numbers>,
    /// The result: 1-0, 0-1, 1/2-1/2 or *
    #[arg(long, value_name = "RESULT")]
    pub(crate) result: Option<tabiya_game::GameResult>,
    /// The date lies in this range, such as 2020..2022.06 or 2021.12.24
    #[arg(long, value_name = "RANGE")]
    pub(crate) date: Option<Dates>,
    /// The opening's code lies in this range, such as B20..B99, C or E97
    #[arg(long, value_name = "RANGE")]
    pub(crate) eco: Option<Ecos>,
    /// A name of the event
    #[arg(long, value_name = "TEXT")]
    pub(crate) event: Option<String>,
    /// The number of moves of both sides lies in this range
    #[arg(long, value_name = "RANGE")]
    pub(crate) plies: Option<Numbers>,
    /// This position occurs: the same pieces, turn, castling and en passant
    #[arg(long, value_name = "FEN")]
    pub(crate) position: Option<String>,
    /// Exactly these pieces occur, for either side, such as KRPvKR
    #[arg(long, value_name = "PIECES")]
    pub(crate) material: Option<Material>,
    /// Write the other games instead
    #[arg(long)]
    pub(crate) invert: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Fens {
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Only the last position of each game
    #[arg(long)]
    pub(crate) last: bool,
    /// The position before the first move as well
    #[arg(long, conflicts_with = "last")]
    pub(crate) start: bool,
    /// Print one JSON object for each position
    #[arg(long)]
    pub(crate) json: bool,
}
