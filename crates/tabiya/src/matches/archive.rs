//! The file that keeps the games of a match: each is on disk before the next result is counted, so that an interrupted
//! match loses only the games in progress.

use std::io;
use std::path::Path;

use tabiya_game::Record;
use tabiya_game::pgn::{self, Format};
use tabiya_store::disk::{Computer, Disk, folder_of, uninterrupted, write_all};

/// A file that games are appended to.
#[derive(Debug)]
pub(crate) struct Archive<D: Disk = Computer> {
    disk: D,
    file: D::File,
    /// How long the file is, as far as it is whole games.
    length: u64,
    /// Whether there may be something behind them: a part of a game that could not be written.
    torn: bool,
}

impl Archive {
    /// Appends to a file, which is made where it is missing.
    pub(crate) fn open(path: &Path) -> io::Result<Archive> {
        Archive::open_on(Computer, path)
    }

    /// Begins a file that must not be there yet.
    pub(crate) fn create(path: &Path) -> io::Result<Archive> {
        let file = Computer.create(path)?;
        Archive::of(Computer, path, file, 0)
    }
}

impl<D: Disk> Archive<D> {
    /// The same on any disk.
    fn open_on(disk: D, path: &Path) -> io::Result<Archive<D>> {
        let (file, length) = uninterrupted(|| disk.append(path))?;
        Archive::of(disk, path, file, length)
    }

    fn of(disk: D, path: &Path, file: D::File, length: u64) -> io::Result<Archive<D>> {
        if length == 0 {
            // The name of a new file is to last as long as what is written under it.
            synced(uninterrupted(|| disk.sync_folder(folder_of(path))))?;
        }
        Ok(Archive {
            disk,
            file,
            length,
            torn: false,
        })
    }

    /// Appends a game, waits until it is safe, and returns where it begins. What is half written is taken back.
    pub(crate) fn add(&mut self, game: &Record) -> io::Result<u64> {
        if self.torn {
            self.mend()?;
        }
        let between = if self.length == 0 { "" } else { "\n" };
        let text = format!("{between}{}", pgn::to_string(game, Format::Export));
        if let Err(error) = self.write(&text) {
            self.torn = true;
            // Where that fails as well, it is tried again before the next game.
            let _ = self.mend();
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

    fn mend(&mut self) -> io::Result<()> {
        uninterrupted(|| self.disk.cut(&mut self.file, self.length))?;
        self.torn = false;
        Ok(())
    }
}

/// What a sync came to. Pipes and folders of devices cannot be synced, and need not be.
fn synced(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        result => result,
    }
}

#[cfg(test)]
mod tests;
