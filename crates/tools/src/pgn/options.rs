//! The values of the flags of `convert`.

use std::num::NonZeroU64;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use tabiya_game::pgn;
use thiserror::Error;

/// What can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Strip {
    /// Everything in braces, clocks and evaluations among it
    Comments,
    /// Everything but the main line
    Variations,
    /// Signs such as `!?`
    Glyphs,
    /// The times of clocks, and nothing else
    Clocks,
    /// All tags except the seven of the standard and those that give the start position
    Tags,
}

/// The changes to every game.
#[derive(Clone, Debug, Args)]
pub(crate) struct Change {
    /// Leave these out
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub(crate) strip: Vec<Strip>,
    /// Correct the results of games that end in mate, stalemate or insufficient material
    #[arg(long)]
    pub(crate) fix_results: bool,
    /// Write the opening into the tags ECO, Opening and Variation
    #[arg(long)]
    pub(crate) classify: bool,
}

/// What games are written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    Pgn,
    /// A line for each position of the main lines, with the move played there
    Epd,
    /// A JSON object for each game, on a line of its own
    Jsonl,
    /// A table with a row for each game
    Csv,
    /// The same table as a Parquet file, with ratings and plies as numbers
    Parquet,
}

impl Form {
    /// The extension of such files, which is the name of the form.
    pub(crate) fn extension(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// How moves are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Notation {
    /// Nf3
    San,
    /// Ng1-f3
    Long,
    /// g1f3
    Uci,
}

impl From<Notation> for pgn::Notation {
    fn from(notation: Notation) -> pgn::Notation {
        match notation {
            Notation::San => pgn::Notation::San,
            Notation::Long => pgn::Notation::Long,
            Notation::Uci => pgn::Notation::Uci,
        }
    }
}

/// How games are divided among files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Split {
    /// This many games per file.
    Count(NonZeroU64),
    Eco,
    /// By player; a game is in the files of both.
    Player,
    Month,
}

impl Split {
    /// How many games a file gets, if that divides them.
    pub(crate) fn count(self) -> Option<u64> {
        match self {
            Split::Count(count) => Some(count.get()),
            Split::Eco | Split::Player | Split::Month => None,
        }
    }
}

/// A text that does not say how to split games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("games are split by a count such as 1000, or by eco, player or month")]
pub(crate) struct NoSplit;

impl FromStr for Split {
    type Err = NoSplit;

    fn from_str(text: &str) -> Result<Split, NoSplit> {
        match text {
            "eco" => Ok(Split::Eco),
            "player" => Ok(Split::Player),
            "month" => Ok(Split::Month),
            _ => text.parse().map(Split::Count).map_err(|_| NoSplit),
        }
    }
}
