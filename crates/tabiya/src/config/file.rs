//! The file itself: reading it whatever it is, and writing it so that it is never half there.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use tabiya_uci::{EngineCommand, OptionValue};

use super::settings::Setting;
use super::{Config, edit};
use crate::storage;

/// The longest file that is read.
const LONGEST: u64 = 1 << 20;

/// Reads the file. One that is not there is no reason for a warning.
pub(crate) fn load(path: &Path) -> Config {
    match text(path) {
        Ok(text) => Config::read(&text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Config::default(),
        Err(error) => Config::unread(format!("{error}; the defaults are used.")),
    }
}

/// Writes a setting into the file, which is made if it is not there.
///
/// # Errors
/// The sentence says why the file was left as it is.
pub(crate) fn write(path: &Path, setting: &Setting, value: &str) -> Result<(), String> {
    rewrite(path, |old| edit::with(old, setting, value))
}

/// The same for an option of an engine; without a value it is taken out.
///
/// # Errors
/// The sentence says why the file was left as it is.
pub(crate) fn write_engine_option(
    path: &Path,
    engine: &str,
    command: &EngineCommand,
    option: &str,
    value: Option<&OptionValue>,
) -> Result<(), String> {
    rewrite(path, |old| {
        edit::with_engine_option(old, engine, command, option, value)
    })
}

fn rewrite(path: &Path, change: impl Fn(&str) -> Result<String, String>) -> Result<(), String> {
    let name = path.display();
    let told = |error: io::Error| format!("{name}: {error}");
    let old = match text(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(told(error)),
    };
    let new = change(&old).map_err(|why| format!("{name}: {why}"))?;
    // The file may be a link into a folder that the user keeps elsewhere, and stays one.
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if let Some(folder) = target.parent() {
        std::fs::create_dir_all(folder).map_err(told)?;
    }
    storage::replace(&target, new.as_bytes()).map_err(told)
}

fn text(path: &Path) -> io::Result<String> {
    // Opening a pipe would wait for somebody to write into it.
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("It is not a file"));
    }
    let mut text = String::new();
    File::open(path)?
        .take(LONGEST + 1)
        .read_to_string(&mut text)?;
    if text.len() as u64 > LONGEST {
        return Err(io::Error::other("It is longer than a megabyte"));
    }
    Ok(text)
}
