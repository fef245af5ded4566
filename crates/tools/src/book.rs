//! `tabiya book`: builds and shows opening books in the Polyglot format.

mod build;

use std::fs::File;
use std::io;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde::Serialize;
use tabiya_front::book_file::unusable_book;
use tabiya_front::failure::Failure;
use tabiya_front::flags::{PositionArgs, count};
use tabiya_front::output::answer;
use tabiya_openings::{BookError, PolyglotBook};
use tabiya_store::disk::FileFault;

use super::pgn::Reading;

pub const EXAMPLES: &str = "\
Examples:
  tabiya book build games.pgn --out book.bin
  tabiya book show book.bin";

const BUILD_EXAMPLES: &str = "\
Examples:
  tabiya book build games.pgn --out book.bin
  tabiya book build 2023.pgn.zst 2024.pgn.zst --plies 30 --min-games 5 --out book.bin

A move's weight is what it scored for the side that made it: two for a win, one for a draw. Games
without a result are left out, and of a game with an error the moves before it count. A file that is
there already is left alone. The last line is `N games, N entries`. Keys of --json: games, entries.
Exit code 1 means that there are errors in games, 3 that a file could not be read or written.";

const SHOW_EXAMPLES: &str = "\
Examples:
  tabiya book show book.bin
  tabiya book show book.bin \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"

Moves are listed with their weights and shares, in the order of the book. Keys of --json: fen, moves (a
list of {uci, san, weight, learn}). Exit code 1 means that the book has no move for the position.";

#[derive(Debug, Subcommand)]
pub enum Book {
    /// Make a book of the games of files
    #[command(after_help = BUILD_EXAMPLES)]
    Build(Build),
    /// List what a book has for a position
    #[command(after_help = SHOW_EXAMPLES)]
    Show(Show),
}

#[derive(Clone, Debug, Args)]
pub struct Build {
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// How many moves of either side of each game count
    #[arg(long, value_name = "N", default_value = "20")]
    pub(crate) plies: u16,
    /// In how many games a move must have been made to be in the book
    #[arg(long, value_name = "N", default_value = "3", value_parser = count::<NonZeroU32>)]
    pub(crate) min_games: NonZeroU32,
    /// The file to write, which must not be there yet
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub struct Show {
    /// The book
    #[arg(value_name = "BOOK")]
    pub(crate) book: PathBuf,
    #[command(flatten)]
    pub(crate) position: PositionArgs,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Runs `tabiya book`.
pub fn run(args: &Book) -> Result<(), Failure> {
    match args {
        Book::Build(args) => build::run(args),
        Book::Show(args) => show(args),
    }
}

/// Shows the moves that a book has in a position.
fn show(args: &Show) -> Result<(), Failure> {
    let position = args.position.read()?;
    let entries = opened(&args.book)
        .map_err(BookError::Io)
        .and_then(PolyglotBook::new)
        .and_then(|mut book| book.entries_of(position.polyglot_key()))
        .map_err(|error| unusable_book(&args.book, error))?;
    let moves = entries.iter().filter_map(|entry| {
        let m = entry.raw.resolve(&position)?;
        Some(ShownMove {
            uci: position.uci(m).to_string(),
            san: position.san(m).to_string(),
            weight: entry.weight,
            learn: entry.learn,
        })
    });
    let shown = Shown {
        fen: position.fen(),
        moves: moves.collect(),
    };
    let total: u32 = shown.moves.iter().map(|m| u32::from(m.weight)).sum();
    let lines = shown.moves.iter().map(|ShownMove { san, weight, .. }| {
        let share = 100.0 * f64::from(*weight) / f64::from(total.max(1));
        format!("{san:<7} {weight:>5} {share:>5.1} %")
    });
    answer(args.json, &shown, lines)?;
    match shown.moves.is_empty() {
        false => Ok(()),
        true if args.json => Err(Failure::NoAlreadyPrinted),
        true => Err(Failure::No("the book has no move for the position".into())),
    }
}

/// Opens a book. Only a regular file can be searched: a pipe would block, and a folder or a device has no size.
fn opened(path: &Path) -> io::Result<File> {
    let about = std::fs::metadata(path)?;
    match about.is_dir() {
        true => Err(io::ErrorKind::IsADirectory.into()),
        false if about.is_file() => File::open(path),
        false => Err(io::Error::other(FileFault::NotPlain)),
    }
}

/// The legal moves of a book in a position.
#[derive(Serialize)]
struct Shown {
    fen: String,
    moves: Vec<ShownMove>,
}

#[derive(Serialize)]
struct ShownMove {
    uci: String,
    san: String,
    weight: u16,
    learn: u32,
}
