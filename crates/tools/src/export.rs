//! `tabiya export`: writes a game as a stand-alone page.

use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;

use clap::Args;
use tabiya_front::failure::Failure;
use tabiya_front::input_file::InputFile;
use tabiya_front::opening_names;
use tabiya_front::output::{GeneratedKind, say, write_generated};
use tabiya_game::pgn::{PgnGame, RecordReader};
use tabiya_rules::text::clean;
use tabiya_serve::export;

use crate::read_opening_names;

pub const EXAMPLES: &str = "\
Examples:
  tabiya export game.pgn --html game.html
  tabiya export games.pgn.zst --game 12 --html game.html
  tabiya analyse game.pgn | tabiya export - --html game.html

The page has the game with its variations, comments, arrows, marks and evaluations. It is one file that
needs no network: arrow keys, mouse and touch walk through the game. `tabiya analyse` writes evaluations
and marks into a game; with them the page has a bar and a curve.";

const PAGE: GeneratedKind = GeneratedKind {
    beginning: export::BEGINNING,
    name: "page of a game",
};

/// Which game, and where to.
#[derive(Debug, Args)]
pub struct Export {
    /// A file of games; - is stdin
    file: PathBuf,
    /// Write the game to this file as a page; a page of a game that is there already is replaced
    #[arg(long, value_name = "FILE")]
    html: PathBuf,
    /// Which game of the file
    #[arg(long, value_name = "NUMBER", default_value = "1")]
    game: NonZeroUsize,
}

/// Runs `tabiya export`.
pub fn run(args: &Export) -> Result<(), Failure> {
    read_opening_names();
    let input = InputFile::new(&args.file);
    let name = &input.name;
    let game = find(&input, args.game).map_err(|error| Failure::system(name, &error))?;
    let game = game.ok_or_else(|| match args.game.get() {
        1 => Failure::No(format!("{name}: there is no game")),
        number => Failure::No(format!("{name}: there is no game {number}")),
    })?;
    let problem = game.errors.first();
    let page = export::html(&opening_names::tagged(game.record));
    write_generated(&args.html, &page, PAGE)?;
    match problem {
        None => Ok(()),
        // The page has what could be read of the game.
        Some(error) => {
            say(&clean(&format!("tabiya: {name}: {}", error.message())));
            Err(Failure::NoAlreadyPrinted)
        }
    }
}

/// Finds a game by its number.
fn find(input: &InputFile, number: NonZeroUsize) -> io::Result<Option<PgnGame>> {
    let count = AtomicU64::new(0);
    let mut games = RecordReader::from_read(input.open(&count)?);
    for _ in 1..number.get() {
        if games.read()?.is_none() {
            return Ok(None);
        }
    }
    games.read()
}
