//! A game on a server, as values: its state there, the server's events, and requests to it ([`ServerRequest`]). Whoever
//! talks to a server checks what it sends: texts are bounded and safe to show.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tabiya_game::{ClockFace, NewGame, Outcome};
use tabiya_rules::{ByColor, Color, UciMove};

use crate::players::PlayerSpec;
use crate::request::ServerRequest;

/// The state of a game on its server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteState {
    /// The moves, including those that were undone.
    pub moves: Vec<UciMove>,
    /// How many of them are on the board.
    pub ply: u32,
    /// The side that offers a draw.
    pub offer: Option<Color>,
    /// The side that requests a takeback.
    pub takeback: Option<Color>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// Whether the clocks are stopped.
    pub paused: bool,
    /// Whether all players have arrived.
    pub begun: bool,
    /// What the clocks show.
    pub clock: ClockFace,
}

/// A game that was joined.
#[derive(Clone, Debug, PartialEq)]
pub struct Joined {
    /// Its start, its clocks and the names of its players.
    pub game: NewGame,
    /// The players. Sides that are played elsewhere are [`PlayerSpec::Remote`].
    pub players: ByColor<PlayerSpec>,
    /// Whether people in two places play it. No engine helps them before it is over.
    pub between_people: bool,
    /// Its current state.
    pub state: RemoteState,
    /// Which players are connected.
    pub presence: ByColor<Presence>,
}

/// Whether the player of a side is connected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Presence {
    /// Connected, or an engine.
    #[default]
    Here,
    /// Disconnected. After the given time the opponent may claim the game, if the game allows that.
    Away {
        /// The time left until then.
        claim_in: Option<Duration>,
    },
}

/// An event that a server sends.
#[derive(Clone, Debug, PartialEq)]
pub enum ServerEvent {
    /// The whole game, sent to a client that joins or returns.
    Joined(Box<Joined>),
    /// The current state of the game.
    State(Box<RemoteState>),
    /// Which players are connected.
    Presence(ByColor<Presence>),
    /// The request was carried out.
    Done,
    /// The request was refused.
    Refused(Vec<String>),
    /// Other information for the players.
    Notice(Vec<String>),
    /// A player wants a rematch.
    RematchWanted(Color),
    /// How long a message takes to the server and back.
    Lag(Duration),
    /// The connection was lost. The client reconnects.
    Lost,
    /// The server no longer admits this player.
    ShutOut(Vec<String>),
}

/// News about a server, for the player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerNews {
    /// The request was refused.
    Refused(Vec<String>),
    /// Other information for the players.
    Notice(Vec<String>),
    /// Some players have not arrived yet.
    NotBegun,
    /// A player is disconnected.
    Away {
        /// The player's side.
        side: Color,
        /// When the opponent may claim the game.
        claim_in: Option<Duration>,
    },
    /// A player has returned.
    Returned(Color),
    /// A player wants a rematch.
    RematchWanted(Color),
    /// The connection was lost. The client reconnects.
    Lost,
    /// The connection is back.
    Back,
    /// The server no longer admits this player.
    ShutOut(Vec<String>),
}

/// Receives server events. Returns whether anyone still listens.
pub type ServerListener = Arc<dyn Fn(ServerEvent) -> bool + Send + Sync>;

/// A connection to the server of a game.
pub trait ServerLink: fmt::Debug + Send {
    /// Starts to listen.
    fn listen(&mut self, listener: ServerListener);
    /// Sends a request without waiting for the answer. The ply is the caller's current one. A move that gets no answer before
    /// the connection is lost is sent again if the game is still at that ply.
    fn ask(&mut self, request: ServerRequest, ply: u32);
}
