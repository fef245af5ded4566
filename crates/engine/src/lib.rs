//! A chess engine behind the UCI protocol.
//!
//! [`serve`] is the server: it takes any reader and writer, obeys while it searches, sends exactly one `bestmove` for each
//! `go`, and ends when its input ends or nobody reads its output. The search behind it is a [`Searcher`]; the server only
//! expects it to look at its [`Control`] often. [`AlphaBeta`] is the searcher that comes with the crate, from the weakest
//! [`Level`] to full strength.
//!
//! ```
//! use tabiya_engine::{AlphaBeta, serve};
//!
//! let output = tabiya_engine::SharedBuffer::default();
//! let commands = &b"position startpos moves e2e4\ngo depth 1\nquit\n"[..];
//! serve(commands, output.clone(), AlphaBeta::default())?;
//! assert_eq!(output.text().matches("bestmove").count(), 1);
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! [`LocalEngine`] analyses positions for a program that has the engine inside, with its lines as they come; [`think`] does
//! it in the calling thread.
//!
//! # Features and the oldest Rust
//!
//! There are no features; the standard library is needed. Time comes from the system, or from a function that is passed in
//! ([`Control::with_clock`]), so that [`think`] asks no clock of the system. The crate builds with Rust 1.88 and newer; a
//! newer one is asked for only with a new minor version.
#![deny(unsafe_code)]

mod bench;
mod evaluation;
mod fallback;
mod info;
mod level;
mod local;
mod local_engine;
mod options;
mod perft;
mod prefetch;
mod score;
mod search;
mod searcher;
mod server;
mod sub_keys;
mod table;
mod threads;
mod time;
#[doc(hidden)]
pub mod tuning;

pub use bench::{Bench, bench};
pub use evaluation::network::{HeaderField, Network, NetworkError};
pub use level::{Level, ParseLevelError};
pub use local::think;
pub use local_engine::LocalEngine;
pub use options::Settings;
pub use search::AlphaBeta;
pub use searcher::{Control, Report, Request, Searcher};
#[doc(hidden)]
pub use server::SharedBuffer;
pub use server::{serve, serve_stdio, serve_stdio_until};
pub use time::{Budget, Clock};
