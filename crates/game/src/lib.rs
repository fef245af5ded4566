//! One game of chess as a state machine, and games as text.
//!
//! [`tabiya_rules`] knows positions and moves; this crate turns them into games that people and programs play, save and
//! exchange.
//!
//! - A [`Session`] is one game: a [`Record`] with a cursor, clocks, offers and claims. [`Session::apply`] is the only
//!   way to change it. It takes a [`Command`] and the time, and returns the [`Event`]s in order, or a [`Refusal`] that
//!   says why and changes nothing.
//! - A [`Record`] is a tree of moves with their annotations. Undo loses nothing, and a new move after an
//!   undo starts a variation.
//! - [`pgn`] reads and writes records as text, at any size.
//!
//! Nothing here reads a clock, prints or touches a file: the time and the bytes are arguments.
//!
//! # Play a game
//!
//! Moves can be text or values. Everything that happens comes back as events.
//!
//! ```
//! use tabiya_game::{Command, Event, Outcome, Refusal, Session, Timestamp};
//! use tabiya_rules::Color;
//!
//! let mut session = Session::default();
//! let now = Timestamp::ORIGIN; // This game has no clock, so any moment will do.
//! for text in "e4 e5 Bc4 Nc6 Qh5 Nf6".split(' ') {
//!     session.apply(Command::play(text), now)?;
//! }
//!
//! // A refused command says why, and changes nothing.
//! let refusal = session.apply(Command::play("h5e8"), now).unwrap_err();
//! assert_eq!(refusal.to_string(), "The way is blocked by the piece on f7.");
//!
//! let events = session.apply(Command::play("Qxf7#"), now)?;
//! let Event::Moved(moved) = &events[0] else { unreachable!() };
//! assert!(moved.check && moved.captured.is_some());
//! assert_eq!(events[1], Event::Ended(Outcome::Checkmate { winner: Color::White }));
//!
//! // The game stays over until it is reopened.
//! assert!(matches!(session.apply(Command::play("Ke7"), now), Err(Refusal::GameOver(_))));
//! session.apply(Command::undo(1), now)?;
//! assert_eq!(session.outcome(), None);
//! # Ok::<(), Refusal>(())
//! ```
//!
//! # Claim a draw
//!
//! Under the default [`DrawPolicy::Claim`], the player to move claims threefold repetition and fifty moves, either for
//! the position on the board or for the position after an intended move.
//!
//! ```
//! use tabiya_game::{ClaimRule, Command, DrawBy, Event, Outcome, Session, Timestamp};
//!
//! let mut session = Session::default();
//! let now = Timestamp::ORIGIN;
//! for text in "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1".split(' ') {
//!     session.apply(Command::play(text), now)?;
//! }
//! assert!(session.claims().is_empty());
//! assert_eq!(session.claims_by_move().len(), 1); // Ng8 would be the third time.
//!
//! session.apply(Command::play("Ng8"), now)?;
//! assert_eq!(session.claims()[0].rule(), ClaimRule::Threefold);
//! let events = session.apply(Command::claim(), now)?;
//! assert!(matches!(events[0], Event::DrawClaimed(_)));
//! assert_eq!(session.outcome(), Some(Outcome::Threefold(DrawBy::Claim)));
//! # Ok::<(), tabiya_game::Refusal>(())
//! ```
//!
//! # Play with clocks
//!
//! ```
//! use core::time::Duration;
//! use tabiya_game::{Command, NewGame, Outcome, Session, Timestamp};
//! use tabiya_rules::Color;
//!
//! let mut session = Session::new(NewGame::default().with_clock(&"3+2".parse()?));
//! session.apply(Command::Tick, Timestamp::from_millis(0))?; // Starts the clocks.
//! session.apply(Command::play("d4"), Timestamp::from_millis(5_000))?;
//! let face = session.clock(Timestamp::from_millis(6_000));
//! assert_eq!(face.left.white, Some(Duration::from_secs(177)));
//! assert_eq!(face.left.black, Some(Duration::from_secs(179)));
//!
//! // A move that arrives after the flag fell does not count.
//! session.apply(Command::play("d5"), Timestamp::from_millis(999_000))?;
//! assert_eq!(session.outcome(), Some(Outcome::Time { loser: Color::Black }));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Save a game and resume it
//!
//! ```
//! use tabiya_game::pgn::{self, Format};
//! use tabiya_game::{Command, Session, Timestamp};
//!
//! let mut session = Session::default();
//! let now = Timestamp::ORIGIN;
//! for text in ["e4", "c5", "Nf3"] {
//!     session.apply(Command::play(text), now)?;
//! }
//! session.apply(Command::undo(2), now)?;
//! session.apply(Command::play("e5"), now)?; // A variation; nothing is lost.
//!
//! let text = pgn::to_string(&session.save(), Format::Export);
//! let game = pgn::games(text.as_bytes()).next().ok_or("no game")?;
//! assert_eq!(Session::restore(game.record), session);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features and the oldest Rust
//!
//! | feature | on by default | adds |
//! | --- | --- | --- |
//! | `threads` | yes | [`pgn::read_parallel`], which reads one file with several threads |
//! | `serde` | no | sessions, records, commands and events in any serde format |
//!
//! The crate needs the standard library and Rust 1.88 or newer. A newer Rust is required only with a new minor version.
#![forbid(unsafe_code)]

pub use tabiya_rules;

mod annotation;
mod claims;
mod clock;
mod command;
mod dead;
mod event;
mod history;
mod outcome;
pub mod pgn;
mod policy;
mod record;
mod refusal;
#[cfg(feature = "serde")]
mod serde_forms;
mod session;
mod tags;

pub use annotation::{
    Annotation, Arrow, Comment, CommentCommand, CommentCommandError, Evaluation, Glyph, MarkColor,
    SquareMark, clock_text, parse_clock,
};
pub use claims::{Claim, ClaimRule, Grounds};
pub use clock::{Bonus, ClockFace, Period, TimeControl, TimeControlError, Timestamp};
pub use command::{Command, GoTo, MoveInput, NewGame, UndoTo};
pub use dead::{DEAD_SEARCH_POSITIONS, Deadness, deadness};
pub use event::{Event, EventKind, Moved};
pub use outcome::{DrawBy, GameResult, Outcome, ParseResultError};
pub use policy::{Branching, DeadPositions, DrawPolicy, Policy};
pub use record::{AddError, Children, Node, NodeId, Record, RecordTags, Step};
pub use refusal::{ClaimRefusal, MoveRefusal, Refusal};
pub use session::{Session, Takeback};
pub use tags::{TagError, Tags};

/// Runs the programs of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
