//! The folder with the saved games: what is in it, what a save holds, and where deleted and damaged saves go.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use tabiya_rules::{ByColor, Color, Move, Position};
use thiserror::Error;

use crate::disk::{self, Disk, FileFault, SystemDisk, if_found, uninterrupted};
use crate::paths::NoHomeFolder;
use crate::save_file::{self, Damage, SaveCopy, SavedGame, Tail, Unreadable};
use crate::save_name::{NameError, SaveName};

/// The largest file that is read. A game of a hundred thousand moves with a comment on each is smaller.
const MAX_FILE_SIZE: u64 = 64 << 20;

/// The extension of a save.
const PGN: &str = ".pgn";
const JOURNAL: &str = ".journal";

/// The folder with the saved games: `saves` with the games, `locks`, and `damaged` and `trash`, where nothing is
/// ever overwritten.
///
/// ```
/// use std::path::Path;
/// use tabiya_store::disk::SystemDisk;
/// use tabiya_store::{SaveName, Store};
///
/// let store = Store::new(SystemDisk, Path::new("/nowhere"));
/// assert!(store.list()?.is_empty());
/// assert!(store.peek(&SaveName::new("mine")?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Store<D = SystemDisk> {
    pub(crate) disk: D,
    folder: PathBuf,
}

/// Why an operation on a save failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SaveError {
    /// There is no folder to save games in.
    #[error(transparent)]
    NoHomeFolder(#[from] NoHomeFolder),
    /// Another program has it open.
    #[error("'{0}' is being played in another window; close it there first.")]
    Busy(SaveName),
    /// There is no such save.
    #[error("There is no save '{0}'.")]
    Missing(SaveName),
    /// Another game has that name.
    #[error("There is a save '{0}' already; choose another name, or delete it first.")]
    Taken(SaveName),
    /// The game has no name.
    #[error("The game has no name yet: save NAME.")]
    Unnamed,
    /// The text is not a valid name.
    #[error(transparent)]
    Name(#[from] NameError),
    /// It is the game being played, and cannot be opened a second time.
    #[error("'{0}' is the game that is being played, and is saved as it stands.")]
    OpenAlready(SaveName),
    /// It is the game being played, and cannot be replaced.
    #[error("'{0}' is the game that is being played; save the review under another name.")]
    NotReplaced(SaveName),
    /// It is the game being played.
    #[error("'{0}' is the game that is being played, so it is not deleted.")]
    NotDeleted(SaveName),
    /// There are no saves.
    #[error("There is no game to resume.")]
    NothingToResume,
    /// All saved games are over.
    #[error("There is no game to resume: all that are kept are over.")]
    AllOver,
    /// Its files cannot be read as a game.
    #[error("'{name}' cannot be read: {why}. {}", set_aside(.aside.as_deref()))]
    Unreadable {
        /// The save.
        name: SaveName,
        /// What is wrong with it.
        why: Unreadable,
        /// Where it was moved.
        aside: Option<PathBuf>,
    },
    /// A file or folder that cannot be used. The fault comes first, because a path may be too long for what shows
    /// it.
    #[error("{fault}: {}.", .path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong with it.
        fault: FileFault,
    },
}

fn set_aside(aside: Option<&Path>) -> String {
    match aside {
        Some(path) => format!("It was set aside as {}.", path.display()),
        None => "It was left as it is.".to_owned(),
    }
}

/// A save in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaveEntry {
    /// Its name.
    pub name: SaveName,
    /// When it was last changed.
    pub modified: SystemTime,
}

/// What a list shows of a save. Two are equal if their positions are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The players' names in the game.
    pub names: ByColor<Option<String>>,
    /// Who plays each side, as in [`SavedGame::players`].
    pub players: ByColor<Option<String>>,
    /// The date in the game; empty if there is none.
    pub date: String,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: &'static str,
    /// The number of moves, counting a move of each side as one.
    pub moves: u32,
    /// The position that the game started from.
    pub start: Position,
    /// The moves from there to the current position, up to a null move.
    pub line: Vec<Move>,
    /// The current position.
    pub position: Position,
}

/// A save as it was found.
#[derive(Debug)]
pub(crate) struct FoundSave {
    pub(crate) copy: SaveCopy,
    pub(crate) has_journal: bool,
    /// The checksum of its PGN file, if there is one.
    pub(crate) pgn_sum: Option<u64>,
    /// What must be set aside before the save is written again: the extensions and contents of its files.
    pub(crate) doubtful: Vec<(&'static str, Vec<u8>)>,
}

impl<D: Disk> Store<D> {
    /// Creates a store in a folder of a disk.
    pub fn new(disk: D, folder: &Path) -> Store<D> {
        Store {
            disk,
            folder: folder.to_owned(),
        }
    }

    /// Returns the folder with the games, for people who look for them.
    pub fn saves(&self) -> PathBuf {
        self.folder.join("saves")
    }

    pub(crate) fn pgn_path(&self, name: &SaveName) -> PathBuf {
        self.saves().join(format!("{name}{PGN}"))
    }

    pub(crate) fn journal_path(&self, name: &SaveName) -> PathBuf {
        self.saves().join(format!("{name}{JOURNAL}"))
    }

    /// Returns where a new PGN file is written before it replaces the old one.
    pub(crate) fn draft_path(&self, name: &SaveName) -> PathBuf {
        self.saves().join(format!("{name}.new"))
    }

    /// Locks a save until the lock is dropped.
    pub(crate) fn lock(&self, name: &SaveName) -> Result<D::Lock, SaveError> {
        let folder = self.folder.join("locks");
        for folder in [&self.saves(), &folder] {
            self.with_path(folder, uninterrupted(|| self.disk.make_folder(folder)))?;
        }
        let path = folder.join(format!("{name}.lock"));
        let lock = self.with_path(&path, uninterrupted(|| self.disk.lock(&path)))?;
        lock.ok_or_else(|| SaveError::Busy(name.clone()))
    }

    /// Returns whether anything has that name.
    pub(crate) fn has(&self, name: &SaveName) -> Result<bool, SaveError> {
        for path in [self.pgn_path(name), self.journal_path(name)] {
            if self.with_path(&path, uninterrupted(|| self.disk.exists(&path)))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Lists every save, the last changed one first. A missing folder has none.
    pub fn list(&self) -> Result<Vec<SaveEntry>, SaveError> {
        let folder = self.saves();
        let files = if_found(uninterrupted(|| self.disk.list(&folder, is_save)));
        let files = self.with_path(&folder, files)?.unwrap_or_default();
        let (journals, pgns): (Vec<_>, Vec<_>) = files
            .into_iter()
            .partition(|(file, _)| file.ends_with(JOURNAL));
        let stem = |mut file: String, ending: &str| {
            file.truncate(file.len() - ending.len());
            file
        };
        // A save with a journal has two files; the later change counts.
        let mut journals: HashMap<String, SystemTime> = journals
            .into_iter()
            .map(|(file, modified)| (stem(file, JOURNAL), modified))
            .collect();
        let mut files: Vec<(String, SystemTime)> = pgns
            .into_iter()
            .map(|(file, modified)| {
                let name = stem(file, PGN);
                let later = journals.remove(&name);
                (name, later.map_or(modified, |later| later.max(modified)))
            })
            .collect();
        files.extend(journals);
        files.sort_unstable_by(|a, b| (b.1, &a.0).cmp(&(a.1, &b.0)));
        let listed = files.into_iter().filter_map(|(name, modified)| {
            let name = SaveName::try_from(name).ok()?;
            Some(SaveEntry { name, modified })
        });
        Ok(listed.collect())
    }

    /// Returns the names of all saves, as far as they can be determined.
    pub fn names(&self) -> Vec<String> {
        let listed = self.list().unwrap_or_default();
        listed.into_iter().map(|one| one.name.to_string()).collect()
    }

    /// Returns the last changed save whose game is not over, or why there is none. Also returns the error of a
    /// newer save that cannot be read, if there is one.
    pub fn latest(&self) -> Result<(SaveName, Option<SaveError>), SaveError> {
        let listed = self.list()?;
        let none = match listed.len() {
            0 => SaveError::NothingToResume,
            _ => SaveError::AllOver,
        };
        let mut passed_over = None;
        for SaveEntry { name, .. } in listed {
            if self.is_surely_over(&name) {
                continue;
            }
            match self.peek(&name) {
                Ok(summary) if summary.result == "*" => return Ok((name, passed_over)),
                Ok(_) | Err(SaveError::Missing(_)) => {}
                Err(trouble) => passed_over = passed_over.or(Some(trouble)),
            }
        }
        Err(passed_over.unwrap_or(none))
    }

    /// Returns whether the game of a save is certainly over, found out without playing it through, because there
    /// may be very many such saves. It must be unchanged since this program wrote it, and have no journal.
    fn is_surely_over(&self, name: &SaveName) -> bool {
        let journal = uninterrupted(|| self.disk.exists(&self.journal_path(name)));
        if !journal.is_ok_and(|there| !there) {
            return false;
        }
        let pgn = self.bytes(&self.pgn_path(name));
        pgn.is_ok_and(|pgn| pgn.is_some_and(|bytes| save_file::is_surely_over(&bytes)))
    }

    /// Returns the last changed save that no program has open, with what a list shows of it.
    pub fn abandoned(&self) -> Option<(SaveName, Summary)> {
        let listed = self.list().ok()?;
        listed.into_iter().find_map(|SaveEntry { name, .. }| {
            let about = self.peek(&name).ok()?;
            self.is_free(&name).then_some((name, about))
        })
    }

    /// Returns whether no program has a save open.
    pub fn is_free(&self, name: &SaveName) -> bool {
        // The lock is released at once, because this was only a question.
        self.lock(name).is_ok()
    }

    /// Returns what a list shows of a save. Changes nothing, whatever state the save is in.
    pub fn peek(&self, name: &SaveName) -> Result<Summary, SaveError> {
        Ok(summary(&self.read(name)?))
    }

    /// Returns the game of a save. Changes nothing, whatever state the save is in.
    pub(crate) fn read(&self, name: &SaveName) -> Result<SavedGame, SaveError> {
        Ok(self.find(name)?.copy.game)
    }

    /// Finds the latest whole copy of a save.
    pub(crate) fn find(&self, name: &SaveName) -> Result<FoundSave, SaveError> {
        let pgn = self.bytes(&self.pgn_path(name))?;
        let journal_bytes = self.bytes(&self.journal_path(name))?;
        let unreadable = |why| SaveError::Unreadable {
            name: name.clone(),
            why,
            aside: None,
        };
        let journal = journal_bytes.as_deref().map(save_file::read_journal);
        let last = journal.and_then(|journal| journal.last);
        let from_journal = last.map(save_file::read);
        let from_pgn = pgn.as_deref().map(save_file::read);
        for read in [&from_journal, &from_pgn] {
            if let Some(Err(newer @ Unreadable::Newer(_))) = read {
                return Err(unreadable(*newer));
            }
        }
        let pgn_is_good = matches!(&from_pgn, Some(Ok(copy)) if copy.is_own);
        // A torn entry was never shown as played. If nothing else is left of a game, it is set aside anyway.
        let journal_is_good = journal.is_some_and(|journal| match (&from_journal, journal.tail) {
            (Some(Ok(_)), Tail::Nothing | Tail::Torn) => true,
            (None, Tail::Torn) => matches!(from_pgn, Some(Ok(_))),
            _ => false,
        });
        let is_begun = journal.is_some_and(|journal| {
            // A program that died between two calls leaves an empty journal and nothing else.
            journal.last.is_some() || journal.tail != Tail::Nothing
        });
        let copy = match (from_journal, from_pgn) {
            (Some(Ok(log)), Some(Ok(pgn))) if pgn.number > log.number => pgn,
            (Some(Ok(copy)), _) | (_, Some(Ok(copy))) => copy,
            (_, Some(Err(why))) | (Some(Err(why)), None) => return Err(unreadable(why)),
            (None, None) if is_begun => return Err(unreadable(Damage::NoEntry.into())),
            (None, None) => return Err(SaveError::Missing(name.clone())),
        };
        let has_journal = journal_bytes.is_some();
        let pgn_sum = pgn.as_deref().map(save_file::checksum);
        let doubtful_pgn = pgn.filter(|_| !pgn_is_good);
        let is_doubtful = |bytes: &Vec<u8>| !journal_is_good && !bytes.is_empty();
        let doubtful_journal = journal_bytes.filter(is_doubtful);
        let doubtful = [("pgn", doubtful_pgn), ("journal", doubtful_journal)].into_iter();
        Ok(FoundSave {
            copy,
            has_journal,
            pgn_sum,
            doubtful: doubtful
                .filter_map(|(ending, bytes)| Some((ending, bytes?)))
                .collect(),
        })
    }

    /// Moves a damaged save out of the way. The caller must hold the lock.
    pub(crate) fn set_aside(&self, name: &SaveName) -> Result<PathBuf, SaveError> {
        self.move_files(name, "damaged")
    }

    /// Moves a save to the trash.
    pub fn delete(&self, name: &SaveName) -> Result<PathBuf, SaveError> {
        let _lock = self.lock(name)?;
        if !self.has(name)? {
            return Err(SaveError::Missing(name.clone()));
        }
        self.move_files(name, "trash")
    }

    /// Moves the files of a save to another folder, under a name that is free there. Returns where one of them is now.
    fn move_files(&self, name: &SaveName, folder: &str) -> Result<PathBuf, SaveError> {
        let (folder, stem) = self.free_place(name, folder)?;
        let mut moved_to = folder.clone();
        for (from, ending) in [
            (self.pgn_path(name), "pgn"),
            (self.journal_path(name), "journal"),
        ] {
            let to = folder.join(format!("{stem}.{ending}"));
            let moved = if_found(uninterrupted(|| self.disk.rename(&from, &to)));
            if self.with_path(&from, moved)?.is_some() {
                moved_to = to;
            }
        }
        for folder in [&folder, &self.saves()] {
            self.with_path(folder, uninterrupted(|| self.disk.sync_folder(folder)))?;
        }
        Ok(moved_to)
    }

    /// Writes a copy of a doubtful file where nothing is overwritten, and returns where.
    pub(crate) fn copy_aside(
        &self,
        name: &SaveName,
        ending: &str,
        bytes: &[u8],
    ) -> Result<PathBuf, SaveError> {
        let (folder, stem) = self.free_place(name, "damaged")?;
        let path = folder.join(format!("{stem}.{ending}"));
        let new = folder.join(format!("{stem}.new"));
        let written = disk::replace(&self.disk, &path, &new, bytes);
        self.with_path(&path, written)?;
        Ok(path)
    }

    /// Returns a folder beside the saves, and a free name in it. The name includes the time, so that it is free
    /// even if two programs move saves of the same name.
    fn free_place(&self, name: &SaveName, folder: &str) -> Result<(PathBuf, String), SaveError> {
        let folder = self.folder.join(folder);
        self.with_path(&folder, uninterrupted(|| self.disk.make_folder(&folder)))?;
        let mut time = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |time| time.as_nanos());
        loop {
            let stem = format!("{name}.{time}");
            let path = folder.join(format!("{stem}.pgn"));
            if !self.with_path(&path, uninterrupted(|| self.disk.exists(&path)))? {
                return Ok((folder, stem));
            }
            time += 1;
        }
    }

    /// Returns the bytes of a file; `None` if there is none.
    pub(crate) fn bytes(&self, path: &Path) -> Result<Option<Vec<u8>>, SaveError> {
        let read = if_found(uninterrupted(|| self.disk.read(path, MAX_FILE_SIZE)));
        self.with_path(path, read)
    }

    /// Adds the file name to an error.
    pub(crate) fn with_path<T>(&self, path: &Path, done: io::Result<T>) -> Result<T, SaveError> {
        done.map_err(|error| SaveError::File {
            path: path.to_owned(),
            fault: disk::why(&error),
        })
    }
}

/// Returns whether a file may be one of a save.
fn is_save(file: &str) -> bool {
    file.ends_with(PGN) || file.ends_with(JOURNAL)
}

/// What a list shows of a game.
fn summary(game: &SavedGame) -> Summary {
    let session = &game.session;
    let tags = session.record().tags();
    let line = session.record().cursor_line();
    Summary {
        names: ByColor::from_fn(|color: Color| tags.get(color.name()).map(str::to_owned)),
        players: game.players.clone(),
        date: tags.get("Date").unwrap_or_default().to_owned(),
        result: session.publish().result().as_str(),
        moves: (line.len() as u32).div_ceil(2),
        start: *session.record().root().position(),
        line: line.map_while(|node| node.step()?.played()).collect(),
        position: *session.position(),
    }
}
