//! The folders of a user (the XDG folders, or those of the platform), and paths as people write and read them: with a
//! tilde for the home folder, and with completion.

use std::path::{MAIN_SEPARATOR_STR, Path, PathBuf};

use etcetera::base_strategy::{BaseStrategy, choose_native_strategy};
use tabiya_rules::text::{self, is_safe};
use thiserror::Error;

/// The name of the program's folders.
const NAME: &str = "tabiya";

/// The most completions offered; in a larger folder the user types another letter.
const MAX_COMPLETIONS: usize = 200;

/// The folders of one user. They may not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folders {
    config: PathBuf,
    data: PathBuf,
    state: PathBuf,
}

/// The error returned when the environment does not name the user's folders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("There is no home folder, so nothing can be kept: set HOME to one (an absolute path).")]
pub struct NoHomeFolder;

impl Folders {
    /// Returns the folders that the environment names.
    pub fn find() -> Result<Folders, NoHomeFolder> {
        let places = choose_native_strategy().map_err(|_| NoHomeFolder)?;
        let folders = Folders {
            config: places.config_dir().join(NAME),
            data: places.data_dir().join(NAME),
            // Not every platform has such a folder; the other one is not synced between machines either.
            state: places.state_dir().unwrap_or_else(|| places.cache_dir()),
        };
        // With an empty HOME, everything would go below the folder in which the program is started.
        if folders.config.is_absolute() && folders.data.is_absolute() {
            let state = match folders.state.is_absolute() {
                true => folders.state.join(NAME),
                false => folders.data.join("state"),
            };
            Ok(Folders { state, ..folders })
        } else {
            Err(NoHomeFolder)
        }
    }

    /// Returns the settings file.
    pub fn config_file(&self) -> PathBuf {
        self.config.join("config.toml")
    }

    /// Returns the folder below which games are stored.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// Returns the folder for what belongs to this installation alone, even if the user's data is synced between machines.
    pub fn state(&self) -> &Path {
        &self.state
    }
}

/// Returns the path to open: a leading tilde stands for the home folder.
pub fn from_home(path: &Path) -> PathBuf {
    match (path.strip_prefix("~"), home()) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.to_owned(),
    }
}

/// Returns the path to show: short, and safe for a terminal.
pub fn shown(path: &Path) -> String {
    let home = home();
    match home.and_then(|home| path.strip_prefix(home).ok().map(Path::to_owned)) {
        Some(rest) => clean(&Path::new("~").join(rest)),
        None => clean(path),
    }
}

/// Returns the whole path, safe for a terminal.
pub fn clean(path: &Path) -> String {
    text::clean(&path.display().to_string()).into_owned()
}

/// The home folder that the environment names.
fn home() -> Option<PathBuf> {
    // An empty one would mean the folder in which the program is started.
    std::env::home_dir().filter(|home| home.is_absolute())
}

/// Returns the files and folders whose names begin with a text, sorted. A folder ends with a separator, so that
/// completion can continue inside it. Hidden ones are offered only after a leading dot; names that cannot be typed are
/// left out.
pub fn beginning_with(text: &str) -> Vec<String> {
    if text == "~" {
        return vec![format!("~{MAIN_SEPARATOR_STR}")];
    }
    let (folder, begun) = match text.rfind(std::path::is_separator) {
        Some(at) => text.split_at(at + 1),
        None => ("", text),
    };
    let place = if folder.is_empty() { "." } else { folder };
    // A folder that cannot be read offers nothing, like an empty one.
    let Ok(entries) = from_home(Path::new(place)).read_dir() else {
        return Vec::new();
    };
    let mut found: Vec<String> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let name = entry.file_name().into_string().ok()?;
            let shown = name.starts_with(begun) && name.chars().all(is_safe);
            let hidden = name.starts_with('.') && !begun.starts_with('.');
            if !shown || hidden {
                return None;
            }
            // A link to a folder counts as a folder.
            let is_folder = entry.path().is_dir();
            let end = if is_folder { MAIN_SEPARATOR_STR } else { "" };
            Some(format!("{folder}{name}{end}"))
        })
        .collect();
    found.sort_unstable();
    found.truncate(MAX_COMPLETIONS);
    found
}

#[cfg(test)]
mod tests;
