//! Files of games, read in other threads, so that neither a large file nor a slow disk holds up the screen.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;

use tabiya_front::game_file;
use tabiya_play::threads;
use tabiya_store::disk::FileError;
use tabiya_store::paths;

use super::Incoming;
use crate::message::{Existing, FileMessage};

/// How many games of a file are counted for a question.
const MAX_GAMES_COUNTED: usize = 2_000_000;

/// Reads files and sends the results.
pub(super) struct Files {
    sender: SyncSender<Incoming>,
    /// Stops the current listing.
    stop: Arc<AtomicBool>,
}

impl Files {
    /// Prepares to read files.
    pub(super) fn new(sender: SyncSender<Incoming>) -> Files {
        Files {
            sender,
            stop: Arc::default(),
        }
    }

    /// Lists the games of a file, and stops listing any other. Returns an answer only if there is no thread.
    pub(super) fn list(&mut self, path: &Path, number: u64) -> Option<FileMessage> {
        self.stop.store(true, Ordering::Relaxed);
        let stop = Arc::new(AtomicBool::new(false));
        self.stop = Arc::clone(&stop);
        let sender = self.sender.clone();
        let path = paths::from_home(path);
        let listing = threads::spawn(move || {
            let tell = |batch| {
                let message = FileMessage::Listed { number, batch };
                sender.send(message.into()).is_ok()
            };
            let how = game_file::list(&path, &stop, tell)
                .map_err(|error| FileError::new(&path, &error).into());
            let _ = sender.send(FileMessage::ListEnded { number, how }.into());
        });
        let how = Err(listing.err()?.into());
        Some(FileMessage::ListEnded { number, how })
    }

    /// Reads one game.
    pub(super) fn open(&self, path: &Path, offset: u64, number: usize) {
        let sender = self.sender.clone();
        let path = paths::from_home(path);
        threads::spawn_or_run(move || {
            let game = game_file::open_at(&path, offset).map(Box::new);
            let _ = sender.send(FileMessage::Opened { number, game }.into());
        });
    }
}

/// What is known about an existing file. Games are counted up to a limit that takes no time.
pub(super) fn existing(path: &Path, source: Option<&Path>) -> Existing {
    Existing {
        // A file that is not one of games is replaced like any other.
        games: game_file::count(path, MAX_GAMES_COUNTED).unwrap_or_default(),
        is_source: source.is_some_and(|source| game_file::is_same(source, path)),
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}
