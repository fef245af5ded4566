//! The commands that answer one question and end.

pub(crate) mod analyse;
pub(crate) mod book;
pub(crate) mod contest;
pub(crate) mod counting;
pub(crate) mod db;
pub(crate) mod engine;
pub(crate) mod engines;
pub(crate) mod explorer;
#[cfg(feature = "serve")]
pub(crate) mod export;
mod made_file;
pub(crate) mod moves;
pub(crate) mod packaging;
pub(crate) mod perft;
pub(crate) mod pgn;
pub(crate) mod progress;
#[cfg(feature = "serve")]
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod status;
pub(crate) mod suite;

use tabiya_store::paths::Folders;

use crate::config;
use crate::opening_names;
use crate::output::say;

/// Reads the user's own opening names, if the config has a file of them. A broken file is reported, and the standard
/// names apply.
fn read_opening_names() {
    let Ok(folders) = Folders::find() else { return };
    let config = config::file::load(&folders.config_file());
    if let Err(error) = opening_names::configure(config.settings.openings.as_deref()) {
        say(&format!("tabiya: {error}"));
    }
}
