//! Games on disk, kept so that a kill, a full disk or a power cut costs no move that was shown.
//!
//! A save is a PGN file that any program reads, and while it is played a journal beside it: after every change the
//! whole game is appended and synced, which is one sync a move and leaves everything before it alone. When the game is
//! left, it becomes PGN in one step: a new file in the same folder, synced, renamed over the old one. Every copy has a
//! number and a checksum, so that the latest whole one is found whatever happened.
//!
//! | module | owns |
//! | --- | --- |
//! | `name` | which names a save can have |
//! | `format` | a game as text with its number and checksum, and the entries of a journal |
//! | `store` | the folder: listing, reading, deleting, setting aside |
//! | `kept` | one open save: lock, journal, PGN |
//! | `keeper` | the game that is played, and the sentences about keeping it |

pub(crate) mod format;
mod keeper;
mod kept;
mod name;
mod store;

pub(crate) use format::Game;
pub(crate) use keeper::{Autosave, Keeper, Remark};
pub(crate) use name::{NameError, SaveName};
pub(crate) use store::{Listed, Store, Summary};

#[cfg(test)]
mod tests;
