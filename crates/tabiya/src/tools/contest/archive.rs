//! The file that keeps the games of a match: each is on the disk before the next result is counted, so that an
//! interrupted match loses nothing but the games that were going on.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use tabiya_game::Record;
use tabiya_game::pgn::{self, Format};

/// A file that games are appended to.
#[derive(Debug)]
pub(crate) struct Archive {
    file: File,
    /// How long the file is.
    length: u64,
}

impl Archive {
    /// Appends to a file, which is made where it is missing.
    pub(crate) fn open(path: &Path) -> io::Result<Archive> {
        Archive::of(OpenOptions::new().create(true).append(true).open(path)?)
    }

    /// Begins a file that must not be there yet.
    pub(crate) fn create(path: &Path) -> io::Result<Archive> {
        Archive::of(
            OpenOptions::new()
                .create_new(true)
                .append(true)
                .open(path)?,
        )
    }

    fn of(file: File) -> io::Result<Archive> {
        let length = file.metadata()?.len();
        Ok(Archive { file, length })
    }

    /// Appends a game, waits until it is safe, and returns where it begins. What is half written is taken back.
    pub(crate) fn add(&mut self, game: &Record) -> io::Result<u64> {
        let between = if self.length == 0 { "" } else { "\n" };
        let text = format!("{between}{}", pgn::to_string(game, Format::Export));
        let written = self.file.write_all(text.as_bytes());
        let safe = written.and_then(|()| match self.file.sync_data() {
            // A pipe cannot be synced, and need not be.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
            result => result,
        });
        if let Err(error) = safe {
            // Where that fails as well, a reader of the file finds an error and the games around it.
            let _ = self.file.set_len(self.length);
            return Err(error);
        }
        let begins = self.length + between.len() as u64;
        self.length += text.len() as u64;
        Ok(begins)
    }
}

/// Today's date as PGN writes it.
pub(crate) fn today() -> String {
    jiff::Zoned::now().strftime("%Y.%m.%d").to_string()
}
