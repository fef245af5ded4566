//! The file itself: it is read whatever it contains, and written atomically.

use std::io;
use std::path::{Path, PathBuf};

use tabiya_store::disk::{self, Disk, FileError, SystemDisk, draft_of, folder_of, uninterrupted};
use tabiya_store::paths::{Folders, NoHomeFolder};
use thiserror::Error;

use super::Config;
use super::edit::{self, EditError};
use super::settings::{self, Setting, SettingError};
use crate::book_file::BookFileError;

/// The largest file that is read, in bytes.
pub(crate) const MAX_CONFIG_SIZE: u64 = 1 << 20;

/// Why the file was not changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ConfigError {
    #[error(transparent)]
    NoHomeFolder(#[from] NoHomeFolder),
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{}: {error}", .path.display())]
    NotEdited { path: PathBuf, error: EditError },
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The configured book cannot be opened.
    #[error(transparent)]
    Book(#[from] BookFileError),
    #[error(transparent)]
    NoEngine(#[from] NoEngine),
}

/// The engine with this name is no longer known.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("There is no engine {0} any more.")]
pub struct NoEngine(pub String);

/// Reads the file. A missing file causes no warning.
pub fn load(path: &Path) -> Config {
    match text(&SystemDisk, &resolve_links(path)) {
        Ok(text) => Config::read(&text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Config::default(),
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => Config::unread(format!(
            "The file is longer than {MAX_CONFIG_SIZE} bytes, and no more are read; the defaults are used."
        )),
        Err(error) => Config::unread(format!("{}; the defaults are used.", disk::why(&error))),
    }
}

/// Writes a setting into the user's file.
pub fn write_setting(key: &str, value: &str) -> Result<(), ConfigError> {
    let setting = settings::known(key)?;
    write(&Folders::find()?.config_file(), setting, value)
}

/// Writes a setting into the file, which is created if it is missing.
pub fn write(path: &Path, setting: &Setting, value: &str) -> Result<(), ConfigError> {
    rewrite(path, |old| edit::with_setting(old, setting, value))
}

/// Changes the text of the file, which is created if it is missing.
pub fn rewrite(
    path: &Path,
    change: impl Fn(&str) -> Result<String, EditError>,
) -> Result<(), ConfigError> {
    rewrite_on(&SystemDisk, &resolve_links(path), change)
}

/// Rewrites the file on any disk.
fn rewrite_on<D: Disk>(
    disk: &D,
    path: &Path,
    change: impl Fn(&str) -> Result<String, EditError>,
) -> Result<(), ConfigError> {
    let told = |error: io::Error| FileError::new(path, &error);
    let old = match text(disk, path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(told(error).into()),
    };
    let new = change(&old).map_err(|error| ConfigError::NotEdited {
        path: path.to_owned(),
        error,
    })?;
    uninterrupted(|| disk.make_folder(folder_of(path))).map_err(told)?;
    Ok(disk::replace(disk, path, &draft_of(path), new.as_bytes()).map_err(told)?)
}

/// Follows links: the file may be a link into another folder of the user, and stays one.
fn resolve_links(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Reads the file; a missing one is empty.
fn text<D: Disk>(disk: &D, path: &Path) -> io::Result<String> {
    let bytes = uninterrupted(|| disk.read(path, MAX_CONFIG_SIZE))?;
    String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8 text"))
}

#[cfg(test)]
mod tests;
