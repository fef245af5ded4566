//! The file of a match's games: each game is on disk before the next result is counted, so that an interrupted match
//! loses only the games in progress.

use std::io;
use std::path::Path;

use tabiya_game::Record;
use tabiya_game::pgn::{self, Format};
use tabiya_store::disk::{Disk, SystemDisk, folder_of, uninterrupted, write_all};

/// A file that games are appended to.
#[derive(Debug)]
pub struct Archive<D: Disk = SystemDisk> {
    disk: D,
    file: D::File,
    /// The length of the complete games in the file.
    length: u64,
    /// Whether part of a game that could not be written may follow them.
    torn: bool,
}

impl Archive {
    /// Opens a file for appending, and creates it if it is missing.
    pub fn open(path: &Path) -> io::Result<Archive> {
        Archive::open_on(SystemDisk, path)
    }

    /// Creates a file that must not exist yet.
    pub fn create(path: &Path) -> io::Result<Archive> {
        let file = SystemDisk.create(path)?;
        Archive::of(SystemDisk, path, file, 0)
    }
}

impl<D: Disk> Archive<D> {
    /// Like [`Archive::create`], on any disk.
    fn open_on(disk: D, path: &Path) -> io::Result<Archive<D>> {
        let (file, length) = uninterrupted(|| disk.append(path))?;
        Archive::of(disk, path, file, length)
    }

    fn of(disk: D, path: &Path, file: D::File, length: u64) -> io::Result<Archive<D>> {
        if length == 0 {
            // The name of a new file must be as durable as its contents.
            synced(uninterrupted(|| disk.sync_folder(folder_of(path))))?;
        }
        Ok(Archive {
            disk,
            file,
            length,
            torn: false,
        })
    }

    /// Appends a game, waits until it is on disk, and returns its offset. A partial write is undone.
    pub fn add(&mut self, game: &Record) -> io::Result<u64> {
        if self.torn {
            self.repair()?;
        }
        let between = if self.length == 0 { "" } else { "\n" };
        let text = format!("{between}{}", pgn::to_string(game, Format::Export));
        if let Err(error) = self.write(&text) {
            self.torn = true;
            // If that fails too, it is tried again before the next game.
            let _ = self.repair();
            return Err(error);
        }
        let begins = self.length + between.len() as u64;
        self.length += text.len() as u64;
        Ok(begins)
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        write_all(&self.disk, &mut self.file, text.as_bytes())?;
        synced(uninterrupted(|| self.disk.sync(&self.file)))
    }

    fn repair(&mut self) -> io::Result<()> {
        uninterrupted(|| self.disk.truncate(&mut self.file, self.length))?;
        self.torn = false;
        Ok(())
    }
}

/// The result of a sync. Pipes and device folders cannot be synced, and need not be.
fn synced(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        result => result,
    }
}

#[cfg(test)]
mod tests;
