//! Properties that hold for any input bytes. The crates' tests try them with seeded input and over the corpora of
//! the fuzz targets; the fuzz targets try their own bytes.

#![forbid(unsafe_code)]

#[cfg(feature = "front")]
mod config;
#[cfg(feature = "db")]
mod db_manifest;
#[cfg(feature = "db")]
mod db_part;
mod notation;
#[cfg(feature = "openings")]
mod openings_table;
#[cfg(feature = "game")]
mod pgn;
#[cfg(feature = "openings")]
mod polyglot_book;
#[cfg(feature = "store")]
mod save_file;
#[cfg(feature = "serve")]
mod serve_messages;
#[cfg(feature = "game")]
pub mod session;
pub mod slow;
mod terminal;
#[cfg(feature = "screen")]
mod terminal_answers;
#[cfg(feature = "front")]
mod text_input;
#[cfg(feature = "train")]
mod train_log;
#[cfg(feature = "uci")]
mod uci_lines;
#[cfg(feature = "engine")]
mod uci_session;

#[cfg(feature = "front")]
pub use config::config;
#[cfg(feature = "db")]
pub use db_manifest::db_manifest;
#[cfg(feature = "db")]
pub use db_part::db_part;
pub use notation::{epd, fen, packed, position_holds_together, san, uci_move};
#[cfg(feature = "openings")]
pub use openings_table::openings_table;
#[cfg(feature = "game")]
pub use pgn::{pgn, pgn_chunked, pgn_write};
#[cfg(feature = "openings")]
pub use polyglot_book::polyglot_book;
#[cfg(feature = "store")]
pub use save_file::save_file;
#[cfg(feature = "serve")]
pub use serve_messages::serve_messages;
#[cfg(feature = "game")]
pub use session::session;
pub use terminal::terminal;
#[cfg(feature = "screen")]
pub use terminal_answers::terminal_answers;
#[cfg(feature = "front")]
pub use text_input::text_input;
#[cfg(feature = "train")]
pub use train_log::train_log;
#[cfg(feature = "uci")]
pub use uci_lines::{random_line, uci_command, uci_reply};
#[cfg(feature = "engine")]
pub use uci_session::uci_session;
