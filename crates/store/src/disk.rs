//! Files written so that nothing is lost: the system calls behind a trait, which tests replace with a disk that fails,
//! and the two ways to write a file: replacing an old one, and creating a new one.

mod fault;
pub mod model;
mod new_file;

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, DirEntry, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::thread::{self, Builder};
use std::time::SystemTime;

pub use fault::{FileError, FileFault, why};
pub use new_file::NewFile;

/// What a disk can do. Each method is one system call, or several that change nothing.
pub trait Disk {
    /// A file being written.
    type File: fmt::Debug;
    /// A lock that is held until it is dropped.
    type Lock: fmt::Debug;

    /// Creates a folder and its missing parents.
    fn make_folder(&self, folder: &Path) -> io::Result<()>;
    /// Creates a file, which must not exist.
    fn create(&self, path: &Path) -> io::Result<Self::File>;
    /// Opens a file for appending, creating it if it is missing, and returns its length.
    fn append(&self, path: &Path) -> io::Result<(Self::File, u64)>;
    /// Writes some of the bytes at the end of a file, and returns how many.
    fn write(&self, file: &mut Self::File, bytes: &[u8]) -> io::Result<usize>;
    /// Waits until what was written is on the disk.
    fn sync(&self, file: &Self::File) -> io::Result<()>;
    /// Waits until what was created, renamed and removed in a folder is on the disk.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;
    /// Gives a file the permissions of another one, if that exists.
    fn copy_permissions(&self, file: &Self::File, other: &Path) -> io::Result<()>;
    /// Truncates a file to this many bytes.
    fn truncate(&self, file: &mut Self::File, length: u64) -> io::Result<()>;
    /// Gives a file a second name, which must be free.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Renames a file, replacing any file with that name.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Reads a plain file, at most this many bytes. Does not follow links or open pipes.
    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>>;
    /// Returns whether a path still leads to the file that was opened there, and not to another one or to none.
    fn is_same_file(&self, path: &Path, file: &Self::File) -> io::Result<bool>;
    /// Returns whether anything has that name.
    fn exists(&self, path: &Path) -> io::Result<bool>;
    /// Returns the wanted names of plain files in a folder, with the times of their last change.
    fn list(
        &self,
        folder: &Path,
        wanted: fn(&str) -> bool,
    ) -> io::Result<Vec<(String, SystemTime)>>;
    /// Locks a file, creating it if it is missing; `None` if another program has locked it.
    fn lock(&self, path: &Path) -> io::Result<Option<Self::Lock>>;
    /// Returns whether a lock is the one that other programs find, and not on a file that was removed.
    fn holds(&self, lock: &Self::Lock) -> io::Result<bool>;
}

/// Writes all bytes, in as many calls as it takes.
pub fn write_all<D: Disk>(disk: &D, file: &mut D::File, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        let written = uninterrupted(|| disk.write(file, bytes))?;
        if written == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        bytes = bytes.get(written..).unwrap_or_default();
    }
    Ok(())
}

/// Repeats a call as long as signals interrupt it.
pub fn uninterrupted<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

/// Returns the result of a call, or `None` if there is no such file or folder.
pub(crate) fn if_found<T>(done: io::Result<T>) -> io::Result<Option<T>> {
    match done {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        done => done.map(Some),
    }
}

/// Removes a draft of an earlier attempt. Only a program that died can have left one behind.
fn remove_stale_draft<D: Disk>(disk: &D, draft: &Path) -> io::Result<()> {
    if_found(uninterrupted(|| disk.remove(draft))).map(drop)
}

/// Replaces a file in one step, by way of a new one in the same folder.
pub fn replace<D: Disk>(disk: &D, path: &Path, new: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_by(disk, path, new, |file| write_all(disk, file, bytes))
}

/// Replaces a part of a file in one step, by way of a new one in the same folder. Everything before and after that part
/// stays byte for byte; the file may have any size.
///
/// # Errors
/// Same as [`replace`]; also fails if the file is too short.
pub fn replace_part<D: Disk>(
    disk: &D,
    path: &Path,
    new: &Path,
    part: Range<u64>,
    bytes: &[u8],
) -> io::Result<()> {
    let mut old = File::open(path)?;
    replace_by(disk, path, new, |file| {
        let before = copy(disk, &mut (&mut old).take(part.start), file)?;
        if before < part.start || old.metadata()?.len() < part.end {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        write_all(disk, file, bytes)?;
        old.seek(SeekFrom::Start(part.end))?;
        copy(disk, &mut old, file).map(drop)
    })
}

/// Replaces a file with a new one that the caller writes.
fn replace_by<D: Disk>(
    disk: &D,
    path: &Path,
    new: &Path,
    write: impl FnOnce(&mut D::File) -> io::Result<()>,
) -> io::Result<()> {
    remove_stale_draft(disk, new)?;
    let put = || -> io::Result<()> {
        let mut file = uninterrupted(|| disk.create(new))?;
        uninterrupted(|| disk.copy_permissions(&file, path))?;
        write(&mut file)?;
        uninterrupted(|| disk.sync(&file))?;
        uninterrupted(|| disk.rename(new, path))
    };
    put().inspect_err(|_| {
        // The remains of a failed attempt are useless, and the next attempt removes them as well.
        let _ = disk.remove(new);
    })?;
    uninterrupted(|| disk.sync_folder(folder_of(path)))
}

/// Copies everything, and returns the number of bytes.
fn copy<D: Disk>(disk: &D, from: &mut impl Read, to: &mut D::File) -> io::Result<u64> {
    let mut buffer = vec![0; 1 << 16];
    let mut copied = 0;
    loop {
        let count = uninterrupted(|| from.read(&mut buffer))?;
        if count == 0 {
            return Ok(copied);
        }
        write_all(disk, to, buffer.get(..count).unwrap_or_default())?;
        copied += count as u64;
    }
}

/// Returns the folder that a file is in.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Returns the name of a file while it is written. Two programs that write it do not interfere with each other.
pub fn draft_of(path: &Path) -> PathBuf {
    let mut draft = OsString::from(".");
    draft.push(path.file_name().unwrap_or_default());
    draft.push(format!(".{}.part", std::process::id()));
    path.with_file_name(draft)
}

/// The disk of this computer.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemDisk;

/// A locked file.
#[derive(Debug)]
pub struct FileLock {
    path: PathBuf,
    file: File,
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // A program that opened the file before it was removed sees that the path no longer leads to it. On systems
        // where an open file cannot be removed, it stays and does no harm. If the folder was removed or renamed, the
        // file there is another program's lock.
        if SystemDisk.holds(self).unwrap_or(false) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Opens a file only if it is a plain file: links are not followed, and a pipe does not block.
fn open_plain(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        options.custom_flags(flags.bits() as i32);
    }
    let file = options.open(path).map_err(|error| {
        // The system's message for this is hard to understand.
        if fs::symlink_metadata(path).is_ok_and(|there| there.is_symlink()) {
            io::Error::other(FileFault::Link)
        } else {
            error
        }
    })?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::other(FileFault::NotPlain))
    }
}

impl Disk for SystemDisk {
    type File = File;
    type Lock = FileLock;

    fn make_folder(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)
    }

    fn create(&self, path: &Path) -> io::Result<File> {
        OpenOptions::new().append(true).create_new(true).open(path)
    }

    fn append(&self, path: &Path) -> io::Result<(File, u64)> {
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        let length = file.metadata()?.len();
        Ok((file, length))
    }

    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<usize> {
        file.write(bytes)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        // This also syncs the size of the file; only its times may lag behind.
        file.sync_data()
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        // Elsewhere a folder cannot be opened, and nothing more can be done for a rename.
        if cfg!(unix) {
            File::open(folder)?.sync_all()
        } else {
            Ok(())
        }
    }

    fn copy_permissions(&self, file: &File, other: &Path) -> io::Result<()> {
        match if_found(fs::metadata(other))? {
            Some(there) => file.set_permissions(there.permissions()),
            None => Ok(()),
        }
    }

    fn truncate(&self, file: &mut File, length: u64) -> io::Result<()> {
        file.set_len(length)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::hard_link(from, to)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let file = open_plain(path, OpenOptions::new().read(true))?;
        if file.metadata()?.len() > most {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let mut bytes = Vec::new();
        // It may grow while it is read.
        file.take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn is_same_file(&self, path: &Path, file: &File) -> io::Result<bool> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let opened = file.metadata()?;
            let there = if_found(fs::symlink_metadata(path))?;
            Ok(there
                .is_some_and(|there| there.dev() == opened.dev() && there.ino() == opened.ino()))
        }
        // Elsewhere an open file cannot be removed.
        #[cfg(not(unix))]
        {
            let _ = (path, file);
            Ok(true)
        }
    }

    fn exists(&self, path: &Path) -> io::Result<bool> {
        Ok(if_found(fs::symlink_metadata(path))?.is_some())
    }

    fn list(
        &self,
        folder: &Path,
        wanted: fn(&str) -> bool,
    ) -> io::Result<Vec<(String, SystemTime)>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if let Ok(name) = entry.file_name().into_string()
                && wanted(&name)
            {
                entries.push((name, entry));
            }
        }
        Ok(with_times(&entries))
    }

    fn lock(&self, path: &Path) -> io::Result<Option<FileLock>> {
        loop {
            let mut options = OpenOptions::new();
            options.read(true).write(true).create(true).truncate(false);
            let file = open_plain(path, &mut options)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(fs::TryLockError::WouldBlock) => return Ok(None),
                Err(fs::TryLockError::Error(error)) => return Err(error),
            }
            // Another program may have released and removed this file since it was opened.
            if self.is_same_file(path, &file)? {
                return Ok(Some(FileLock {
                    path: path.to_owned(),
                    file,
                }));
            }
        }
    }

    fn holds(&self, lock: &FileLock) -> io::Result<bool> {
        self.is_same_file(&lock.path, &lock.file)
    }
}

/// The number of files that is worth another thread to read their times.
const A_PART: usize = 5000;

/// Returns the plain files among the entries of a folder, with the times of their last change. Reading the times takes
/// longer than everything else about a list, so several threads do it in a large folder.
fn with_times(entries: &[(String, DirEntry)]) -> Vec<(String, SystemTime)> {
    let ask = |entries: &[(String, DirEntry)]| -> Vec<(String, SystemTime)> {
        let time = |(name, entry): &(String, DirEntry)| {
            // The metadata of an entry is that of the link itself. An entry that has gone meanwhile is left out.
            let about = entry.metadata().ok().filter(fs::Metadata::is_file)?;
            let modified = about.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            Some((name.clone(), modified))
        };
        entries.iter().filter_map(time).collect()
    };
    let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let part = entries.len().div_ceil(threads.min(8)).max(A_PART);
    let mut parts = entries.chunks(part);
    let first = parts.next().unwrap_or_default();
    thread::scope(|scope| {
        let helpers: Vec<_> = parts
            .map(|part| (part, Builder::new().spawn_scoped(scope, || ask(part))))
            .collect();
        let mut found = ask(first);
        for (part, helper) in helpers {
            // A thread that cannot be started is not needed: this one does its work.
            let times = helper.ok().and_then(|helper| helper.join().ok());
            found.extend(times.unwrap_or_else(|| ask(part)));
        }
        found
    })
}

#[cfg(test)]
mod tests;
