//! A chess engine behind the UCI protocol.
//!
//! [`serve`] is the server: it takes any reader and writer, handles commands while it searches, sends exactly one `bestmove` for
//! each `go`, and ends when its input ends or its output is closed. The search behind it is a [`Searcher`]; the server
//! only expects it to check its [`Control`] often. [`AlphaBeta`] is the searcher that comes with the crate, from the
//! weakest [`Level`] to full strength.
//!
//! ```no_run
//! use tabiya_engine::{AlphaBeta, serve_stdio};
//!
//! // A whole UCI engine.
//! serve_stdio(AlphaBeta::default())?;
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! | to | use |
//! | --- | --- |
//! | have an engine inside your program analyze positions, with its lines as they come | [`LocalEngine`] |
//! | search in the calling thread | [`think`] |
//! | search for many games with a few threads | [`SearchPool`] |
//! | limit its strength | [`Level`], [`Settings::with_level`] |
//! | write a search of your own | [`Searcher`], [`serve`], [`LocalEngine::with_searcher`] |
//! | run where there is no system clock | [`Control::with_clock`] |
//!
//! # Features and the oldest Rust
//!
//! There are no features. The crate needs the standard library and Rust 1.88 or newer. A newer Rust is required only with a
//! new minor version. Time comes from the system, or from a function that is passed in ([`Control::with_clock`]), so that
//! [`think`] also runs where there is no system clock.
#![deny(unsafe_code)]

pub use {tabiya_rules, tabiya_uci};

mod bench;
mod evaluation;
mod info;
mod level;
mod local;
mod local_engine;
mod options;
mod params;
mod perft;
mod prefetch;
mod root_order;
mod score;
mod search;
mod search_pool;
mod searcher;
mod server;
mod sub_keys;
mod table;
mod threads;
mod time;

pub use bench::{Bench, bench};
pub use evaluation::network::{HeaderField, Network, NetworkError};
pub use level::{Level, ParseLevelError};
pub use local::think;
pub use local_engine::LocalEngine;
pub use options::Settings;
#[doc(hidden)]
pub use params::SearchParams;
pub use search::AlphaBeta;
pub use search_pool::{SearchHandle, SearchPool, SearchPriority};
pub use searcher::{Control, Report, Request, Searcher};
#[doc(hidden)]
pub use server::SharedBuffer;
pub use server::{serve, serve_stdio, serve_stdio_until};
pub use threads::MemoryLimit;
pub use time::{Budget, Clock};

/// The programs of the README are tests too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
