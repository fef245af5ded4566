//! Games and texts on disk, written so that nothing is lost: a kill, a full disk or a power cut costs no move that was
//! shown.
//!
//! A save is a PGN file that any program can read, and while it is played there is a journal beside it: after every
//! change the whole game is appended and synced, which is one sync a move and leaves everything before it alone. When
//! the game is closed, it becomes PGN in one step: a new file in the same folder, synced, and renamed over the old
//! one. Every copy has a number and a checksum, so that the latest whole one is found whatever happened.
//!
//! | module | owns |
//! | --- | --- |
//! | `disk` | the system calls behind a trait, creating a file, replacing a file |
//! | `text_file` `paths` `local_time` | a text in a file; the folders of a user, and paths as people write them; the user's clock |
//! | `save_name` | which names a save can have |
//! | `save_file` | a game as text with its number and checksum, and the entries of a journal |
//! | `store` | the folder: listing, reading, deleting, setting aside |
//! | `open_save` | one open save: lock, journal, PGN |
//! | `autosaver` | the game being played, and the messages about saving it |
//!
//! # Features and the oldest Rust
//!
//! There are no features. The crate needs the standard library and Rust 1.89 or newer. A newer Rust is required only with
//! a new minor version.

#![forbid(unsafe_code)]

mod autosaver;
pub mod disk;
pub mod local_time;
mod open_save;
pub mod paths;
#[doc(hidden)]
pub mod save_file;
mod save_name;
mod store;
pub mod text_file;

pub use autosaver::{
    Autosave, Autosaver, CLOCK_INTERVAL, SaveKind, SaveNotice, SaveProblem, SaveRemark, Saved,
    Trashed,
};
pub use open_save::ExternalChange;
pub use save_file::{Damage, SavedGame, Unreadable};
#[doc(hidden)]
pub use save_name::is_device;
pub use save_name::{NameError, SaveName};
pub use store::{SaveEntry, SaveError, Store, Summary};

#[cfg(test)]
mod tests;

/// Runs the programs of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
