//! A chess engine behind the UCI protocol.
//!
//! [`serve`] is the server: it takes any reader and writer, obeys while it searches, says exactly one move for each `go`,
//! and ends when its input ends or nobody reads its output. What thinks is a [`Searcher`]; the server knows nothing
//! about it but that it looks at its [`Control`] often. [`PlainSearcher`] is the one there is for now: plain alpha-beta
//! with captures at the leaves, the seed of a real engine and a weak player.
//!
//! ```
//! use tabiya_engine::{PlainSearcher, serve};
//!
//! let output = tabiya_engine::SharedBuffer::default();
//! serve(&b"position startpos moves e2e4\ngo depth 1\nquit\n"[..], output.clone(), PlainSearcher::default());
//! assert_eq!(output.text().matches("bestmove").count(), 1);
//! ```
#![forbid(unsafe_code)]

mod bench;
mod evaluation;
mod local;
mod options;
mod perft;
mod plain;
mod search;
mod server;
mod time;

pub use bench::{Bench, bench};
pub use local::think;
pub use options::Settings;
pub use plain::PlainSearcher;
pub use search::{Answer, Control, Report, Request, Searcher};
pub use server::{SharedBuffer, serve, serve_stdio, serve_stdio_until};
