//! Keeping files so that a crash, a full disk or a power cut leaves the old one or the new one, whole.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Puts a file in the place of another: a new one beside it, on the disk, then renamed over it.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path
        .parent()
        .ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
    let new = beside(path);
    let written = || -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).create_new(true).open(&new)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(&new, path)
    };
    written().inspect_err(|_| {
        // What is left of a failed attempt is of no use to anybody.
        let _ = std::fs::remove_file(&new);
    })?;
    File::open(folder)?.sync_all()
}

/// A name in the same folder that no other program uses at the same time.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    path.with_file_name(name)
}
