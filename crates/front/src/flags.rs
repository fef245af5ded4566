//! The flags that commands share, and how their values are parsed.

use std::hash::{BuildHasher, RandomState};
use std::str::FromStr;

use clap::Args;
use tabiya_game::DrawPolicy;
use tabiya_rules::{Position, SplitMix64};
use tabiya_uci::SetOption;
use thiserror::Error;

use crate::failure::Failure;
use crate::position;

/// Parses an option. A button has no value.
pub fn engine_option(text: &str) -> Result<SetOption, FlagError> {
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
pub struct PositionArgs {
    /// The position: a FEN in one argument or as bare fields, or `startpos`, which is the default
    #[arg(value_name = "FEN")]
    fen: Vec<String>,
    /// Write and read castling as in Chess960 (king takes rook); a Shredder-FEN does so by itself
    #[arg(long)]
    chess960: bool,
}

impl PositionArgs {
    /// The position that the flags describe.
    pub fn read(&self) -> Result<Position, Failure> {
        let mode = position::castling_mode(self.chess960);
        Ok(position::read(&self.fen, mode)?)
    }
}

/// Who decides about threefold repetition and the 50-move rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Draws {
    /// The player to move claims them
    Claim,
    /// They end the game at once
    #[value(alias = "auto")]
    Automatic,
}

impl From<Draws> for DrawPolicy {
    fn from(draws: Draws) -> DrawPolicy {
        match draws {
            Draws::Claim => DrawPolicy::Claim,
            Draws::Automatic => DrawPolicy::Automatic,
        }
    }
}

/// Random numbers from the seed of a flag, or unpredictable ones.
pub fn random(seed: Option<u64>) -> SplitMix64 {
    SplitMix64::new(seed.unwrap_or_else(|| RandomState::new().hash_one("tabiya")))
}

/// Parses a count.
pub fn count<T: FromStr>(text: &str) -> Result<T, FlagError> {
    text.parse().map_err(|_| FlagError::Count)
}

/// Why a flag refuses a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FlagError {
    #[error("expected own or tactic")]
    ItemKind,
    #[error("the start positions of Chess960 are numbered from 0 to 959")]
    StartNumber,
    #[error("an option is written NAME=VALUE")]
    Option,
    #[error("expected a whole number, at least 1")]
    Count,
    #[error("expected a depth: a whole number from 0 to 255")]
    Depth,
}
