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

use crate::config::Config;
use crate::tui::color::ColorChoice;

/// How long to wait before a game that could not be saved is saved again.
pub(crate) const SAVE_AGAIN: Duration = Duration::from_secs(5);

/// What the program starts with.
#[derive(Debug)]
pub(crate) struct Setup {
    pub(crate) game: NewGame,
    /// The source of everything random.
    pub(crate) random: SplitMix64,
    pub(crate) players: ByColor<PlayerSpec>,
    pub(crate) engines: KnownEngines,
    /// The book that bots play from.
    pub(crate) book: Option<SharedBook>,
    pub(crate) color: ColorChoice,
    pub(crate) first: First,
    pub(crate) config: Config,
    pub(crate) autosaver: Autosaver,
    /// The server of the game.
    pub(crate) server: Option<Box<dyn ServerLink>>,
}

/// What is shown first. The line mode has only games.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum First {
    /// The home screen.
    Home,
    /// The game that the setup describes.
    Board,
    /// A resumed game, and a warning about it.
    Resumed(Box<SavedGame>, Option<SaveError>),
    /// A save to review.
    Save(SaveName, Box<SavedGame>),
    /// A game on a server.
    #[cfg_attr(
        not(feature = "serve"),
        expect(dead_code, reason = "only the link of a server leads there")
    )]
    Joined(Box<Joined>),
    /// The games of a file.
    File(PathBuf),
    /// A position to review.
    Position(Box<Position>),
}

/// Whether stdin and stdout are a terminal.
pub(crate) fn is_interactive() -> bool {
    stdin().is_terminal() && stdout().is_terminal()
}
