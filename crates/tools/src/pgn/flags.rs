//! The flags of `tabiya pgn`, with their help texts.

use std::num::{NonZeroU32, NonZeroUsize, ParseIntError};
use std::path::PathBuf;

use clap::{Args, Subcommand};
use tabiya_front::flags::count;

use super::columns::Column;
use super::criteria::{
    Dates, Ecos, Ending, Material, NumberList, Numbers, Pattern, Sequence, TagTest, Words,
};
use super::options::{Change, Form, Notation, Split};

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
stray_text (outside all games). A warning names the place where its game begins; stray_text its own.
Exit code 1 means that there are errors, or text and no game, 3 that a file could not be read to its end.";

const STATS_EXAMPLES: &str = "\
Examples:
  tabiya pgn stats games.pgn
  tabiya pgn stats 2023.pgn.zst 2024.pgn.zst --top 25
  tabiya pgn stats games.pgn --families --svg games.svg
  tabiya pgn stats games.pgn --json

An opening is the name of the last position of a game that has one, whatever its ECO tag says; names
come from the table of the program, and from openings.file in config.toml. Ratings are the mean of both
players'. The first 100,000 players and as many openings are counted one by one, and all others together.
Only main lines are read. Keys of --json: games, moves, errors, results, lengths, openings, ratings,
years, players, other_openings, other_players.";

const FILTER_EXAMPLES: &str = "\
Examples:
  tabiya pgn filter games.pgn --player carlsen --result 1-0 > won.pgn
  tabiya pgn filter games.pgn --elo 2600.. --date 2020..2022 --eco B20..B99
  tabiya pgn filter games.pgn --material KRPvKR --material-plies 10 --ended 50
  tabiya pgn filter games.pgn --position \"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\"
  tabiya pgn filter games.pgn --tag 'TimeControl=600+0' --tag 'Site~^https' --elo-difference 200..
  tabiya pgn filter games.pgn --opening najdorf --moves '... Bg5 ... O-O-O' --first 100
  tabiya pgn filter games/ --board '......k./.....ppp/......../....N' --mirrored

A game is written if it meets all criteria. Its text is copied byte for byte (to a terminal, with
control characters spelled out), unless that would affect the games after it: then a `*` is added at its
end, or, if it ends inside a comment, it is rewritten from what could be read. Text in other encodings is
written in UTF-8. Every word of a name or event must begin a word of the tag, whatever the case: so finds
So and Sokolov, and =so or '\"so\"' only So. Dates are those of the Date tag, or of UTCDate where there
is none. Positions, moves and material are looked for in main lines. Ranges such as 2600..2700 include
their ends, and either end may be left out.

--tag compares with = != < <= > >= as numbers if both sides are numbers, and with ~ and !~ as a regular
expression, whatever the case; a game without the tag passes != and !~ only. --eco uses the ECO tag, or
the moves if there is none. A --board is written like a FEN: a letter is that piece, a digit that many
empty squares, _ an empty one, . or ? any, ! any piece, A or a any of White's or Black's; what is left
of a rank, and ranks that are left out, may have anything. --pawns is the same for pawns alone. In
--moves, ... is any number of moves, ? is any one, !Nf3 any but that, e4|d4 one or the other; the first
is the first of the game. --last keeps N games in memory. Exit code 1 means that there are errors in
games that were written, or that a game of more than 8 MiB had to be left out.";

const CONVERT_EXAMPLES: &str = "\
Examples:
  tabiya pgn convert games.pgn --strip comments,variations > plain.pgn
  tabiya pgn convert 2023.pgn.zst 2024.pgn.zst --out both.pgn
  tabiya pgn convert games.pgn --classify --fix-results --sort Date,White
  tabiya pgn convert games.pgn --split player --out players
  tabiya pgn convert games.pgn --to csv --columns White,Black,Result,plies,opening > games.csv
  tabiya pgn convert games.pgn --to jsonl | jq .result

Games are rewritten, in UTF-8, with one result and the seven tags of the standard, and with nothing
between them, so several files become one. A game with an error is written as far as it can be read, and
exit code 1 says so. --sort and --split by eco, player or month put the games into a temporary file, and
need memory for a small record of each. --out must not exist yet; with --split it is a folder. A column
is a tag, or one of plies, moves, uci, start, fen, eco and opening in lowercase.";

const DEDUPE_EXAMPLES: &str = "\
Examples:
  tabiya pgn dedupe games.pgn > once.pgn
  tabiya pgn dedupe old.pgn new.pgn --removed twice.pgn > once.pgn
  tabiya pgn dedupe games/ --same-length --quiet > once.pgn

Two games are duplicates if the names of their players match (Carlsen,M and Magnus Carlsen) and their
moves are the same, or those of one with at least 20 plies are the beginning of the other's. Games with
fewer than 20 plies are duplicates only if their dates do not differ. The longer game is kept, and of
equally long ones the one with more tags, comments and variations; its text is copied as it is. Removed
games are reported on stderr. The games are in a temporary file meanwhile; memory is needed for a small
record of each.";

const FENS_EXAMPLES: &str = "\
Examples:
  tabiya pgn fens game.pgn
  tabiya pgn fens games.pgn --last
  tabiya pgn fens games.pgn | sort -u | wc -l

Keys of --json: file, offset (where the game begins, in bytes), ply, move (null for a start position or
a null move) and fen. Only main lines are read. Exit code 1 means that there are errors in them.";

/// Check, count, filter and convert files of games
#[derive(Debug, Subcommand)]
pub enum Pgn {
    /// Check every move of every game, and print each error with its place
    #[command(after_help = CHECK_EXAMPLES)]
    Check(Check),
    /// Count results, lengths, openings, years and players
    #[command(after_help = STATS_EXAMPLES)]
    Stats(Stats),
    /// Write the games that match all criteria
    #[command(after_help = FILTER_EXAMPLES)]
    Filter(Box<Filter>),
    /// Rewrite games in another format or order, with parts removed, or into several files
    #[command(after_help = CONVERT_EXAMPLES)]
    Convert(Box<Convert>),
    /// Write every game once
    #[command(after_help = DEDUPE_EXAMPLES)]
    Dedupe(Dedupe),
    /// Print the position after every move as a FEN, one a line
    #[command(after_help = FENS_EXAMPLES)]
    Fens(Fens),
}

/// What all commands read, and how.
#[derive(Clone, Debug, Args)]
pub(crate) struct Reading {
    /// Files of games, or folders of them; `-`, or none, is stdin. Files compressed with zstd, gzip or bzip2, and text in UTF-16, are
    /// recognized by their content
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// How many threads to use [default: all cores]; the output does not depend on it
    #[arg(long, value_name = "N", value_parser = count::<NonZeroUsize>)]
    pub(crate) threads: Option<NonZeroUsize>,
}

#[derive(Clone, Debug, Args)]
pub struct Check {
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// List the warnings too
    #[arg(long)]
    pub(crate) warnings: bool,
    /// Print one JSON object for each error, and for each warning with --warnings, and one for the counts
    #[arg(long)]
    pub(crate) json: bool,
}

/// Parses how many rows to list; 0 means all.
fn limit(text: &str) -> Result<usize, ParseIntError> {
    let rows = text.parse()?;
    Ok(if rows == 0 { usize::MAX } else { rows })
}

#[derive(Clone, Debug, Args)]
pub struct Stats {
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// How many openings and players to list; 0 lists all
    #[arg(long, value_name = "N", default_value = "10", value_parser = limit)]
    pub(crate) top: usize,
    /// Count families of openings, such as all that is Sicilian, and not their variations
    #[arg(long)]
    pub(crate) families: bool,
    /// Draw the counts as bars into a new file
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Debug, Args)]
pub struct Filter {
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// A name of either player
    #[arg(long, value_name = "NAME")]
    pub(crate) player: Option<Words>,
    /// A name of the player of White
    #[arg(long, value_name = "NAME")]
    pub(crate) white: Option<Words>,
    /// A name of the player of Black
    #[arg(long, value_name = "NAME")]
    pub(crate) black: Option<Words>,
    /// The ratings of both players lie in this range
    #[arg(long, value_name = "RANGE")]
    pub(crate) elo: Option<Numbers>,
    /// The rating of White lies in this range
    #[arg(long, value_name = "RANGE")]
    pub(crate) white_elo: Option<Numbers>,
    /// The rating of Black lies in this range
    #[arg(long, value_name = "RANGE")]
    pub(crate) black_elo: Option<Numbers>,
    /// The difference of the ratings lies in this range, whoever has the higher one
    #[arg(long, value_name = "RANGE")]
    pub(crate) elo_difference: Option<Numbers>,
    /// Any tag, such as 'TimeControl=600+0', 'Round<4' or 'Event~open'; may be given several times
    #[arg(long, value_name = "TEST")]
    pub(crate) tag: Vec<TagTest>,
    /// The result: 1-0, 0-1, 1/2-1/2 or *
    #[arg(long, value_name = "RESULT")]
    pub(crate) result: Option<tabiya_game::GameResult>,
    /// The date lies in this range, such as 2020..2022.06 or 2021.12.24
    #[arg(long, value_name = "RANGE")]
    pub(crate) date: Option<Dates>,
    /// The opening's code lies in this range, such as B20..B99, C or E97
    #[arg(long, value_name = "RANGE")]
    pub(crate) eco: Option<Ecos>,
    /// Words of the opening's name, such as najdorf
    #[arg(long, value_name = "NAME")]
    pub(crate) opening: Option<Words>,
    /// A name of the event
    #[arg(long, value_name = "TEXT")]
    pub(crate) event: Option<Words>,
    /// The number of moves of both sides lies in this range
    #[arg(long, value_name = "RANGE")]
    pub(crate) plies: Option<Numbers>,
    /// How the game ended; of several, any
    #[arg(long, value_name = "HOW", value_delimiter = ',')]
    pub(crate) ended: Vec<Ending>,
    /// A pawn was promoted to a piece other than a queen
    #[arg(long)]
    pub(crate) underpromotion: bool,
    /// These moves were played, with gaps, such as 'e4 c5 ... Nxd4'
    #[arg(long, value_name = "MOVES")]
    pub(crate) moves: Option<Sequence>,
    /// This position occurs: the same pieces, turn, castling and en passant
    #[arg(long, value_name = "FEN")]
    pub(crate) position: Option<String>,
    /// This pattern occurs on the board, such as '....k.../pp1'
    #[arg(long, value_name = "PATTERN")]
    pub(crate) board: Option<Pattern>,
    /// This pawn structure occurs, whatever the pieces, such as '8/pp3ppp/4p3/3p4/3P4/4P3/PP3PPP/8'
    #[arg(long, value_name = "PATTERN")]
    pub(crate) pawns: Option<Pattern>,
    /// Let --board and --pawns also match with the colors swapped
    #[arg(long)]
    pub(crate) mirrored: bool,
    /// Exactly these pieces occur, for either side, such as KRPvKR
    #[arg(long, value_name = "PIECES")]
    pub(crate) material: Option<Material>,
    /// The material stays on the board for at least N consecutive positions
    #[arg(long, value_name = "N", requires = "material", value_parser = count::<NonZeroU32>)]
    pub(crate) material_plies: Option<NonZeroU32>,
    /// The games with these numbers, counted over all files from 1, such as 1,5..10
    #[arg(long, value_name = "LIST")]
    pub(crate) games: Option<NumberList>,
    /// Only the first N matching games
    #[arg(long, value_name = "N", value_parser = count::<u32>)]
    pub(crate) first: Option<u32>,
    /// Only the last N matching games
    #[arg(long, value_name = "N", value_parser = count::<u32>)]
    pub(crate) last: Option<u32>,
    /// Write the other games instead
    #[arg(long)]
    pub(crate) invert: bool,
}

#[derive(Clone, Debug, Args)]
pub struct Convert {
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    pub(crate) change: Change,
    /// How moves are written in PGN
    #[arg(long, value_name = "NOTATION", default_value = "san")]
    pub(crate) moves: Notation,
    /// What games are written as
    #[arg(long, value_name = "FORM", default_value = "pgn")]
    pub(crate) to: Form,
    /// The columns of --to csv, such as White,Black,Result,plies
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) columns: Vec<Column>,
    /// Sort by columns, the first one first: numbers, then texts, then what is unknown
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) sort: Vec<Column>,
    /// Sort the other way round
    #[arg(long, requires = "sort")]
    pub(crate) reverse: bool,
    /// Split into files of N games, or by eco, player or month
    #[arg(long, value_name = "N|HOW", requires = "out")]
    pub(crate) split: Option<Split>,
    /// A new file, or a folder where the games are split
    #[arg(long, value_name = "FILE|FOLDER")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Dedupe {
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Keep games that are only the beginning of longer ones
    #[arg(long)]
    pub(crate) same_length: bool,
    /// Write the removed games to a new file
    #[arg(long, value_name = "FILE")]
    pub(crate) removed: Option<PathBuf>,
    /// Report only how many games were removed, not which
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Clone, Debug, Args)]
pub struct Fens {
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
