//! Where the program keeps what belongs to its user: the XDG folders, or those that the platform has instead.

use std::path::{Path, PathBuf};

use etcetera::base_strategy::{BaseStrategy, choose_native_strategy};

/// The name of the program's folders.
const NAME: &str = "tabiya";

/// The folders of one user. Nothing says that they exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folders {
    config: PathBuf,
    data: PathBuf,
}

impl Folders {
    /// The folders that the environment names.
    ///
    /// # Errors
    /// Where there is no home folder, the sentence says what can be set instead.
    pub fn find() -> Result<Folders, String> {
        let unknown = || {
            "There is no home folder, so nothing can be kept: set HOME to one (an absolute path)."
                .to_owned()
        };
        let places = choose_native_strategy().map_err(|_| unknown())?;
        let folders = Folders {
            config: places.config_dir().join(NAME),
            data: places.data_dir().join(NAME),
        };
        // An empty HOME would put everything below the folder in which the program happens to be started.
        if folders.config.is_absolute() && folders.data.is_absolute() {
            Ok(folders)
        } else {
            Err(unknown())
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
