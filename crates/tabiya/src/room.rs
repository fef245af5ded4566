//! The engine room: whoever makes the moves of a side that no person plays.
//!
//! A [`PlayerSpec`] is what was typed, a [`Recipe`] what it takes to start such a player, and then there are two ways to
//! have it think. A [`Mind`] thinks in the thread that asks, for those that have a thread to spare, such as a match. A
//! [`Player`] thinks in a thread of its own and tells what happens to a function, for those that must never wait, such as
//! a screen. Both speak in the values of the UCI protocol, whether the engine is inside this program or another one.

mod bot;
mod mind;
mod player;
mod resolve;
mod spec;

pub(crate) use mind::{Halt, Mind, Recipe, Thought};
pub(crate) use player::Player;
pub(crate) use resolve::resolve;
pub(crate) use spec::{EngineSpec, Level, PlayerSpec, SpecError, entrant};
