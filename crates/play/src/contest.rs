//! A match between two players: many games with openings in pairs, and what they add up to.
//!
//! A [`Plan`] says what to play. [`Contest::start`] plays it in its own threads and reports [`Event`]s; a [`Standing`]
//! is the score so far. Nothing here prints or writes a file: the command line and the screen do, each in its own way.
//! With the same seed and a limit in nodes or depth, the games are the same on every run and machine, whatever the
//! concurrency.

mod adjudication;
mod entrant;
mod game;
mod openings;
mod run;
mod standing;
pub mod statistics;
mod thinking_limit;

pub use adjudication::{Adjudication, Rule};
pub use entrant::{ByEntrant, Entrant};
pub use game::{Fault, FaultCause, FaultKind, Finished};
pub use openings::{Openings, OpeningsError, read_openings};
pub use run::{Contest, ContestError, End, Event, Plan};
pub use standing::{Faults, Standing};
pub use thinking_limit::ThinkingLimit;
