//! Where the program keeps what belongs to its user: the XDG folders, or those that the platform has instead.

use std::path::{Path, PathBuf};

use etcetera::base_strategy::{BaseStrategy, choose_native_strategy};
use thiserror::Error;

/// The name of the program's folders.
const NAME: &str = "tabiya";

/// The folders of one user. Nothing says that they exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folders {
    config: PathBuf,
    data: PathBuf,
}

/// Nothing says where the folders of the user are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("There is no home folder, so nothing can be kept: set HOME to one (an absolute path).")]
pub struct NoHomeFolder;

impl Folders {
    /// The folders that the environment names.
    pub fn find() -> Result<Folders, NoHomeFolder> {
        let places = choose_native_strategy().map_err(|_| NoHomeFolder)?;
        let folders = Folders {
            config: places.config_dir().join(NAME),
            data: places.data_dir().join(NAME),
        };
        // An empty HOME would put everything below the folder in which the program happens to be started.
        if folders.config.is_absolute() && folders.data.is_absolute() {
            Ok(folders)
        } else {
            Err(NoHomeFolder)
        }
    }

    /// The file with the settings.
    pub fn config_file(&self) -> PathBuf {
        self.config.join("config.toml")
    }

    /// The folder below which games are kept.
    pub fn data(&self) -> &Path {
        &self.data
    }
}
