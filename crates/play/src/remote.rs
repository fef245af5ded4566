//! A game that a server keeps, as values: how it stands there, what the server tells, and what it is asked for
//! ([`ServerRequest`]). Whoever talks to a server checks what comes from it: texts are bounded and safe to show.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tabiya_game::{ClockFace, NewGame, Outcome};
use tabiya_rules::{ByColor, Color};

use crate::players::PlayerSpec;
use crate::request::ServerRequest;

/// How a game stands on its server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The moves in coordinates, also those that were undone.
    pub moves: Vec<String>,
    /// How many of them are on the board.
    pub ply: u32,
    /// Who offers a draw.
    pub offer: Option<Color>,
    /// Who wants to take a move back.
    pub takeback: Option<Color>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// Whether the clocks were stopped.
    pub paused: bool,
    /// Whether everybody has come.
    pub begun: bool,
    /// What the clocks show.
    pub clock: ClockFace,
}

/// A game that was joined.
#[derive(Clone, Debug, PartialEq)]
pub struct Joined {
    /// Its start, its clocks and the names of its players.
    pub game: NewGame,
    /// Who plays: sides that are played elsewhere are [`PlayerSpec::Remote`].
    pub players: ByColor<PlayerSpec>,
    /// How it stands.
    pub standing: Standing,
    /// Who is there.
    pub presence: ByColor<Presence>,
}

/// Whether the player of a side is connected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Presence {
    /// They are, or it is an engine.
    #[default]
    Here,
    /// They are not. After this time the opponent may claim the game, if it is a game in which that can be done.
    Away {
        /// The time.
        claim_in: Option<Duration>,
    },
}

/// What a server tells.
#[derive(Clone, Debug, PartialEq)]
pub enum ServerEvent {
    /// The whole game, to whoever joins or comes back.
    Joined(Box<Joined>),
    /// How the game stands now.
    Stands(Box<Standing>),
    /// Who is there.
    Presence(ByColor<Presence>),
    /// What was asked was done.
    Done,
    /// It was not.
    Refused(Vec<String>),
    /// Something else that players should know.
    Notice(Vec<String>),
    /// A player wants a rematch.
    RematchWanted(Color),
    /// The connection was lost; it is tried again.
    Lost,
    /// The server does not let this player in any more.
    ShutOut(Vec<String>),
}

/// What is said about a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerNews {
    /// What was asked for was not done.
    Refused(Vec<String>),
    /// Something else that players should know.
    Notice(Vec<String>),
    /// Not everybody has come yet.
    NotBegun,
    /// A player is not there.
    Away {
        /// Whose.
        side: Color,
        /// After which time the opponent may claim the game.
        claim_in: Option<Duration>,
    },
    /// A player has come back.
    Returned(Color),
    /// A player wants a rematch.
    RematchWanted(Color),
    /// The connection was lost; it is tried again.
    Lost,
    /// It is there again.
    Back,
    /// The server does not let this player in any more.
    ShutOut(Vec<String>),
}

/// Takes what a server tells; says whether anybody still listens.
pub type ServerListener = Arc<dyn Fn(ServerEvent) -> bool + Send + Sync>;

/// A connection to the server of a game.
pub trait ServerLink: fmt::Debug + Send {
    /// Begins to listen.
    fn listen(&mut self, listener: ServerListener);
    /// Asks for something, and never waits for the answer. The ply is where the game stands for whoever asks.
    fn ask(&mut self, request: ServerRequest, ply: u32);
}
