//! Players other than people: the built-in engine, or another program.
//!
//! A [`PlayerSpec`] is what was typed, a [`PlayerConfig`] what it takes to start such a player, and then there are two
//! ways to have it think. A [`BlockingPlayer`] thinks in the calling thread, for callers that have a thread to spare,
//! such as a match. A [`Player`] thinks in a thread of its own and reports to a callback, for callers that must never
//! wait, such as a screen. Both speak in the values of the UCI protocol, whether the engine is built in or another
//! program.

mod blocking;
mod book;
mod bot;
mod resolve;
mod spec;
mod worker;

pub use blocking::{BlockingPlayer, PlayerConfig, PlayerError, StopHandle, Thought};
pub use book::{BookUnreadable, SharedBook};
pub use bot::BotConfig;
pub use resolve::{Directory, ResolveError, resolve};
pub use spec::{EngineSpec, Level, PlayerSpec, SpecError, entrant};
pub use worker::Player;
