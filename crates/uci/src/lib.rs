//! The UCI protocol, for both engines and GUIs.
//!
//! [`UciCommand`] is what a GUI says and [`Reply`] what an engine answers. Both ends read and write these values, so
//! they cannot disagree. [`Engine`] is an engine in its own process: it has deadlines, its moves are checked, and
//! however it behaves, it neither blocks nor outlives the program.
//!
//! ```
//! use tabiya_uci::{UciCommand, Reply};
//!
//! assert_eq!(UciCommand::parse(b"isready\n")?, UciCommand::IsReady);
//! assert_eq!(Reply::ReadyOk.to_string(), "readyok");
//! # Ok::<(), tabiya_uci::UciCommandError>(())
//! ```
//!
//! | to | use |
//! | --- | --- |
//! | read and write lines | [`UciCommand::parse`], [`Reply::parse`], `to_string` |
//! | split a stream into lines | [`LineReader`] |
//! | tell an engine a position with its history | [`MoveHistory`](tabiya_rules::MoveHistory), [`PositionCommand`] |
//! | let an engine search | [`Engine::start`], [`Engine::go`], [`Engine::next_event`], [`Engine::think`] |
//! | analyze a position and get the lines as they arrive | [`Analyst::analyse`] |
//! | stop an engine from another thread | [`Engine::handle`] |
//! | never block | [`Worker`] |
//!
//! The parsers accept any bytes: nothing makes them panic, lines and numbers are bounded, and no value contains a
//! character that affects a terminal.
//!
//! # Features and the oldest Rust
//!
//! There are no features. The crate needs the standard library, because engines are processes, and Rust 1.88 or newer. A
//! newer Rust is required only with a new minor version.
#![forbid(unsafe_code)]

pub use tabiya_rules;

mod analysis;
mod command;
mod link;
mod option;
mod process;
mod reply;
mod setters;
mod text;

pub use analysis::{Analysis, AnalysisLimits, AnalysisResult, Analyst};
pub use command::{
    DebugMode, Go, PositionCommand, PositionError, Registration, Skipped, Start, UciCommand,
    UciCommandError,
};
pub use link::{
    Deadlines, Engine, EngineError, EngineHandle, ExitNote, Notice, Overrun, Phase, SearchEvent,
    SearchInfo, Worker, WorkerEvent,
};
pub use option::{OptionDeclaration, OptionError, OptionKind, OptionValue, SetOption};
#[doc(hidden)]
pub use process::wait_until_closed;
pub use process::{EngineCommand, find_program};
#[doc(hidden)]
pub use reply::material;
pub use reply::{
    BestMove, Bound, BoundedScore, CheckState, CurrentLine, Info, MAX_LINE_MOVES, MAX_MULTI_PV,
    Reply, Wdl, expected_score,
};
pub use text::{Line, LineReader, MAX_LINE, MAX_TEXT};
#[doc(hidden)]
pub use text::{clean, is_plain};

/// Runs the programs of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
