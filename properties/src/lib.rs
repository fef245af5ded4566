//! Properties that hold for any bytes as input. The crates' tests try them seeded and over the corpora of the fuzz
//! targets, and the fuzz targets with bytes of their own.

#![forbid(unsafe_code)]

#[cfg(feature = "program")]
mod config;
#[cfg(feature = "openings")]
mod openings_table;
#[cfg(feature = "openings")]
mod polyglot_book;
#[cfg(feature = "store")]
mod save_file;
mod terminal;
#[cfg(feature = "program")]
mod text_input;

#[cfg(feature = "program")]
pub use config::config;
#[cfg(feature = "openings")]
pub use openings_table::openings_table;
#[cfg(feature = "openings")]
pub use polyglot_book::polyglot_book;
#[cfg(feature = "store")]
pub use save_file::save_file;
pub use terminal::terminal;
#[cfg(feature = "program")]
pub use text_input::text_input;
