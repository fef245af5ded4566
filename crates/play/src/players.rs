//! Players other than people: the built-in engine, or another program.
//!
//! A [`PlayerSpec`] is what people type, and a [`PlayerConfig`] is what it takes to start such a player. There are two
//! ways to have it think. A [`BlockingPlayer`] thinks in the calling thread, for callers that have a thread to spare,
//! such as a match. A [`Player`] thinks in its own thread and reports to a callback, for callers that must never wait,
//! such as a screen. Both use the values of the UCI protocol, whether the engine is built in or another program.

mod blocking;
mod book;
mod bot;
mod resolve;
mod spec;
mod worker;

pub use blocking::{BlockingPlayer, PlayerConfig, PlayerError, PlayerReply, StopHandle};
pub use book::{BookUnreadable, SharedBook};
pub use bot::BotConfig;
pub use resolve::{ResolveError, resolve};
pub use spec::{EngineSpec, Level, PlayerSpec, SpecError, entrant};
pub use worker::Player;
