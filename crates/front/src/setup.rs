//! What a game starts with, on the full screen and in the line mode.

use std::io::{IsTerminal, stdin, stdout};
use std::path::PathBuf;
use std::time::Duration;

use tabiya_game::NewGame;
use tabiya_play::engines::KnownEngines;
use tabiya_play::players::{PlayerSpec, SharedBook};
use tabiya_play::remote::{Joined, ServerLink};
use tabiya_rules::{ByColor, Position, SplitMix64};
use tabiya_store::{Autosaver, SaveError, SaveName, SavedGame};
use tabiya_train::trainer::Options;

use crate::color::ColorChoice;
use crate::config::Config;

/// How long to wait before a game that could not be saved is saved again.
pub const SAVE_AGAIN: Duration = Duration::from_secs(5);

/// What the program starts with.
#[derive(Debug)]
pub struct Setup {
    pub game: NewGame,
    /// The source of everything random.
    pub random: SplitMix64,
    pub players: ByColor<PlayerSpec>,
    pub engines: KnownEngines,
    /// The book that bots play from.
    pub book: Option<SharedBook>,
    pub color: ColorChoice,
    pub first: First,
    pub config: Config,
    pub autosaver: Autosaver,
    /// The server of the game.
    pub server: Option<Box<dyn ServerLink>>,
}

/// What is shown first. The line mode has only games.
#[derive(Clone, Debug, PartialEq)]
pub enum First {
    /// The home screen.
    Home,
    /// The game that the setup describes.
    Board,
    /// A resumed game, and a warning about it.
    Resumed(Box<SavedGame>, Option<SaveError>),
    /// A save to review.
    Save(SaveName, Box<SavedGame>),
    /// A game on a server.
    Joined(Box<Joined>),
    /// The games of a file.
    File(PathBuf),
    /// A position to review.
    Position(Box<Position>),
    /// A training session.
    Train(Options),
}

/// Whether stdin and stdout are a terminal.
pub fn is_interactive() -> bool {
    stdin().is_terminal() && stdout().is_terminal()
}
