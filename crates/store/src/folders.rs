//! Where the program stores its user's files: the XDG folders, or those of the platform.

use std::path::{Path, PathBuf};

use etcetera::base_strategy::{BaseStrategy, choose_native_strategy};
use thiserror::Error;

/// The name of the program's folders.
const NAME: &str = "tabiya";

/// The folders of one user. They may not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folders {
    config: PathBuf,
    data: PathBuf,
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
        };
        // With an empty HOME, everything would go below the folder in which the program is started.
        if folders.config.is_absolute() && folders.data.is_absolute() {
            Ok(folders)
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
}
