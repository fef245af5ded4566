//! The user's own opening names, for the tools.

use tabiya_store::folders::Folders;

use crate::config;
use crate::opening_names;
use crate::output::say;

/// Reads the user's own names, if the config has a file of them. A broken file is reported, and the standard names
/// apply.
pub(crate) fn configure() {
    let Ok(folders) = Folders::find() else { return };
    let config = config::file::load(&folders.config_file());
    if let Err(error) = opening_names::configure(config.settings.openings.as_deref()) {
        say(&format!("tabiya: {error}"));
    }
}
