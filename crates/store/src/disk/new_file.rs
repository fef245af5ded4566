//! A new file that appears completely or not at all, and never replaces another.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{Disk, SystemDisk, draft_of, folder_of, remove_stale_draft, uninterrupted};

/// A file being written. It has another name in the same folder until it is finished; a file that is never finished is
/// removed.
#[derive(Debug)]
pub struct NewFile<D: Disk = SystemDisk> {
    disk: D,
    path: PathBuf,
    draft: PathBuf,
    file: D::File,
    /// Its length, as far as it was written without an error.
    length: u64,
    /// Whether there may be something after that.
    torn: bool,
}

impl NewFile {
    /// Starts a file that must not exist.
    ///
    /// # Errors
    /// Fails if something has that name, or the folder cannot be written to.
    pub fn begin(path: &Path) -> io::Result<NewFile> {
        NewFile::begin_on(SystemDisk, path)
    }

    /// Writes a whole text to a file that must not exist.
    ///
    /// # Errors
    /// Fails if something has that name, or the file cannot be written.
    pub fn write_text(path: &Path, text: &str) -> io::Result<()> {
        let mut file = NewFile::begin(path)?;
        file.add(text)?;
        file.finish()
    }
}

impl<D: Disk> NewFile<D> {
    /// Like [`NewFile::begin`], on any disk.
    pub(crate) fn begin_on(disk: D, path: &Path) -> io::Result<NewFile<D>> {
        if path.file_name().is_none() {
            return Err(io::ErrorKind::InvalidFilename.into());
        }
        if uninterrupted(|| disk.exists(path))? {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let draft = draft_of(path);
        remove_stale_draft(&disk, &draft)?;
        let file = uninterrupted(|| disk.create(&draft))?;
        Ok(NewFile {
            disk,
            path: path.to_owned(),
            draft,
            file,
            length: 0,
            torn: false,
        })
    }

    /// Returns the final name of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a text completely or, if that fails, not at all.
    pub fn add(&mut self, text: &str) -> io::Result<()> {
        self.undo_partial_write()?;
        let length = self.length;
        self.write_all(text.as_bytes()).inspect_err(|_| {
            self.length = length;
            self.torn = true;
        })
    }

    /// Removes what was half written.
    fn undo_partial_write(&mut self) -> io::Result<()> {
        if self.torn {
            uninterrupted(|| self.disk.truncate(&mut self.file, self.length))?;
            self.torn = false;
        }
        Ok(())
    }

    /// Syncs the file, and then gives it its name.
    ///
    /// # Errors
    /// Fails if it cannot be written, or something has that name by now.
    pub fn finish(mut self) -> io::Result<()> {
        self.undo_partial_write()?;
        let disk = &self.disk;
        uninterrupted(|| disk.sync(&self.file))?;
        // A link fails if the name is taken. Not every disk supports links; there, the name is only checked before.
        match uninterrupted(|| disk.link(&self.draft, &self.path)) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(error),
            Err(_) if uninterrupted(|| disk.exists(&self.path))? => {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            Err(_) => uninterrupted(|| disk.rename(&self.draft, &self.path))?,
        }
        uninterrupted(|| disk.sync_folder(folder_of(&self.path)))
    }
}

/// Each write goes to the disk at once, so collect small ones first.
impl<D: Disk> Write for NewFile<D> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.disk.write(&mut self.file, bytes)?;
        self.length += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<D: Disk> Drop for NewFile<D> {
    fn drop(&mut self) {
        // After a rename there is nothing to remove.
        let _ = self.disk.remove(&self.draft);
    }
}
