//! A new file that appears whole or not at all, and never in the place of another.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file that is being written. It has another name in the same folder until it is finished; one that is not finished is
/// removed.
#[derive(Debug)]
pub(crate) struct NewFile {
    path: PathBuf,
    draft: PathBuf,
    file: File,
}

impl NewFile {
    /// Begins a file that must not be there yet.
    ///
    /// # Errors
    /// There is something of that name, or the folder cannot be written to.
    pub(crate) fn begin(path: &Path) -> io::Result<NewFile> {
        match fs::symlink_metadata(path) {
            Ok(_) => return Err(io::ErrorKind::AlreadyExists.into()),
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Err(_) => {}
        }
        let Some(name) = path.file_name() else {
            return Err(io::ErrorKind::InvalidFilename.into());
        };
        let mut draft = OsString::from(".");
        draft.push(name);
        // Two programs that write a file of the same name do not disturb each other.
        draft.push(format!(".{}.part", std::process::id()));
        let draft = path.with_file_name(draft);
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&draft)?;
        Ok(NewFile {
            path: path.to_owned(),
            draft,
            file,
        })
    }

    /// What it will be called.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes at once: a text is best given whole.
    pub(crate) fn write(&mut self, text: &str) -> io::Result<()> {
        self.file.write_all(text.as_bytes())
    }

    /// Brings it to the disk, and then gives it its name.
    ///
    /// # Errors
    /// It cannot be written, or there is something of that name by now.
    pub(crate) fn finish(self) -> io::Result<()> {
        self.file.sync_all()?;
        // A link is refused where the name is taken. Not every disk has links; there the name is only looked up before.
        match fs::hard_link(&self.draft, &self.path) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(error),
            Err(_) if self.path.symlink_metadata().is_ok() => {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            Err(_) => fs::rename(&self.draft, &self.path)?,
        }
        sync_folder(&self.path)
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // Where it was renamed there is nothing to remove.
        let _ = fs::remove_file(&self.draft);
    }
}

/// Makes the new name last. Only where a folder can be opened is that possible, or needed.
fn sync_folder(path: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests;
