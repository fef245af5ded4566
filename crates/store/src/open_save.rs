//! One open save: its lock, its journal, and how every change reaches the disk.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::disk::{self, Disk, if_found, uninterrupted, write_all};
use crate::save_file::{self, SavedGame, Unreadable};
use crate::save_name::SaveName;
use crate::store::{SaveError, Store};

/// How long a journal may become before the whole game is written as PGN. An ordinary game never gets there.
const MAX_JOURNAL_SIZE: usize = 256 << 10;

/// How many copies of a game fit into a journal, however long the game is: otherwise every change would replace the file.
const MIN_JOURNAL_ENTRIES: usize = 4;

/// A save that no other program can open meanwhile.
#[derive(Debug)]
pub(crate) struct OpenSave<D: Disk> {
    store: Store<D>,
    name: SaveName,
    /// The number of the last copy written.
    number: u64,
    /// The journal that can be appended to, and its length.
    journal: Option<(D::File, usize)>,
    /// Whether there may be a journal that cannot be appended to: an old one, or one whose last write failed.
    has_old_journal: bool,
    /// The extensions and contents of files that other programs wrote or damaged, to be set aside before they are
    /// overwritten.
    doubtful: Vec<(&'static str, Vec<u8>)>,
    /// The last text, if it is not known to be in the PGN file.
    pending: Option<String>,
    /// The checksum of the PGN file as it was last read or written here; `None` if there was none.
    known_checksum: Option<u64>,
    /// What other programs did to the save since the user was last told.
    external_changes: Vec<ExternalChange>,
    lock: D::Lock,
}

/// Something that another program did to a save while it was open. The game is saved anyway.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExternalChange {
    /// The folder, or the files of the game in it, were removed or renamed. They have been created again.
    Removed(PathBuf),
    /// The PGN file was changed. Its contents are now in this other file.
    Changed(PathBuf),
}

impl fmt::Display for ExternalChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExternalChange::Removed(folder) => write!(
                f,
                "Somebody removed or renamed the files of this game; they were made again in {}.",
                folder.display()
            ),
            ExternalChange::Changed(copy) => write!(
                f,
                "Somebody else changed the file of this game; the changed version is in {}.",
                copy.display()
            ),
        }
    }
}

impl<D: Disk + Clone> OpenSave<D> {
    /// Opens an existing save. A damaged one is set aside.
    pub(crate) fn open(
        store: &Store<D>,
        name: &SaveName,
    ) -> Result<(OpenSave<D>, SavedGame), SaveError> {
        let lock = store.lock(name)?;
        let found = store.find(name).map_err(|trouble| match trouble {
            SaveError::Unreadable {
                name,
                why: why @ Unreadable::Damaged(_),
                ..
            } => {
                // If even that fails, it stays where it is, and nothing overwrites it.
                let aside = store.set_aside(&name).ok();
                SaveError::Unreadable { name, why, aside }
            }
            other => other,
        })?;
        let save = OpenSave {
            store: store.clone(),
            name: name.clone(),
            number: found.copy.number,
            journal: None,
            has_old_journal: found.has_journal,
            doubtful: found.doubtful,
            pending: None,
            known_checksum: found.pgn_sum,
            external_changes: Vec::new(),
            lock,
        };
        Ok((save, found.copy.game))
    }

    /// Creates a save with a free name.
    pub(crate) fn create(store: &Store<D>, name: &SaveName) -> Result<OpenSave<D>, SaveError> {
        let lock = store.lock(name)?;
        let has_files = store.has(name)?;
        if has_files && !matches!(store.find(name), Err(SaveError::Missing(_))) {
            return Err(SaveError::Taken(name.clone()));
        }
        Ok(OpenSave {
            store: store.clone(),
            name: name.clone(),
            number: 0,
            journal: None,
            has_old_journal: has_files,
            doubtful: Vec::new(),
            pending: None,
            known_checksum: None,
            external_changes: Vec::new(),
            lock,
        })
    }

    pub(crate) fn name(&self) -> &SaveName {
        &self.name
    }

    /// Returns what other programs have done to the save since the last call.
    pub(crate) fn take_external_changes(&mut self) -> Vec<ExternalChange> {
        std::mem::take(&mut self.external_changes)
    }

    /// Appends a game to the journal, or replaces the PGN file if there can be none. Once this succeeds, the game is
    /// safe, whatever happens next.
    pub(crate) fn write_change(&mut self, game: &SavedGame, today: &str) -> Result<(), SaveError> {
        let text = save_file::save_text(game, self.number + 1, today);
        self.number += 1;
        let written = match self
            .can_append(text.len())
            .then(|| self.append_synced(&text))
        {
            Some(Ok(())) => self.ensure_reachable(&text),
            Some(Err(_)) => {
                // A partial write stays, so nothing may be appended after it.
                self.journal = None;
                self.has_old_journal = true;
                self.replace(&text)
            }
            None => self.replace(&text),
        };
        let open = written.is_err() || self.has_journal();
        self.pending = open.then_some(text);
        written
    }

    /// Appends a game in which only time has passed. This does not wait for the disk: what was written survives the
    /// program, and only a power cut may take it away.
    pub(crate) fn write_clock(&mut self, game: &SavedGame, today: &str) -> Result<(), SaveError> {
        let text = save_file::save_text(game, self.number + 1, today);
        if self.journal.is_none() || !self.can_append(text.len()) {
            return self.write_change(game, today);
        }
        self.number += 1;
        let written = self.append(&text);
        if written.is_err() {
            // A partial write stays, so nothing may be appended after it.
            self.journal = None;
            self.has_old_journal = true;
        }
        self.pending = Some(text);
        self.with_pgn_path(written)
    }

    /// Writes a game to the PGN file at once, because the user wants it saved and may not play on.
    pub(crate) fn save_pgn(&mut self, game: &SavedGame, today: &str) -> Result<(), SaveError> {
        self.number += 1;
        self.pending = Some(save_file::save_text(game, self.number, today));
        self.write_pgn()
    }

    /// Brings the PGN file up to date, so that no journal is needed.
    pub(crate) fn write_pgn(&mut self) -> Result<(), SaveError> {
        let Some(text) = self.pending.take() else {
            return Ok(());
        };
        let replaced = self.replace(&text);
        if replaced.is_err() {
            self.pending = Some(text);
        }
        replaced
    }

    /// Names the PGN file in an error, because it is the one that the user knows.
    fn with_pgn_path<T>(&self, done: io::Result<T>) -> Result<T, SaveError> {
        self.store.with_path(&self.store.pgn_path(&self.name), done)
    }

    /// Removes the save, because the game is saved under another name.
    pub(crate) fn discard(self) {
        if !self.doubtful.is_empty() {
            // Another program wrote these files, and they may hold more than the game.
            return;
        }
        let store = &self.store;
        for path in [store.pgn_path(&self.name), store.journal_path(&self.name)] {
            // A file that cannot be removed stays in the list, which is better than losing it.
            let _ = store.disk.remove(&path);
        }
    }

    fn has_journal(&self) -> bool {
        self.journal.is_some() || self.has_old_journal
    }

    /// Whether a text of this length can be appended to the journal, and not only written as PGN.
    fn can_append(&self, length: usize) -> bool {
        let limit = MAX_JOURNAL_SIZE.max(MIN_JOURNAL_ENTRIES * length);
        match &self.journal {
            Some((_, written)) => written + length <= limit,
            None => !self.has_old_journal && self.doubtful.is_empty(),
        }
    }

    /// Appends a text to the journal, creating it if necessary, and waits until it is on the disk.
    fn append_synced(&mut self, text: &str) -> io::Result<()> {
        let is_new = self.journal.is_none();
        self.append(text)?;
        let disk = &self.store.disk;
        if let Some((file, _)) = &self.journal {
            uninterrupted(|| disk.sync(file))?;
        }
        if is_new {
            uninterrupted(|| disk.sync_folder(&self.store.saves()))?;
        }
        Ok(())
    }

    /// Appends a text to the journal, creating it if necessary.
    fn append(&mut self, text: &str) -> io::Result<()> {
        let disk = &self.store.disk;
        let entry = save_file::journal_entry(text);
        let (mut file, length) = match self.journal.take() {
            Some(journal) => journal,
            None => {
                let path = self.store.journal_path(&self.name);
                (uninterrupted(|| disk.create(&path))?, 0)
            }
        };
        write_all(disk, &mut file, entry.as_bytes())?;
        self.journal = Some((file, length + entry.len()));
        Ok(())
    }

    /// Makes sure that an appended text can be found again: the journal or the folder may have been removed or renamed,
    /// and a file without a name is lost when it is closed.
    fn ensure_reachable(&mut self, text: &str) -> Result<(), SaveError> {
        let Some((journal, _)) = &self.journal else {
            return Ok(());
        };
        let disk = &self.store.disk;
        let path = self.store.journal_path(&self.name);
        let stays = self.with_pgn_path(uninterrupted(|| disk.is_same_file(&path, journal)))?
            && self.with_pgn_path(uninterrupted(|| disk.holds(&self.lock)))?;
        if stays {
            return Ok(());
        }
        self.journal = None;
        self.has_old_journal =
            self.with_pgn_path(uninterrupted(|| self.store.disk.exists(&path)))?;
        self.add_removal();
        self.replace(text)
    }

    /// Creates the folders and the lock again if they were removed or renamed.
    fn restore_folder(&mut self) -> Result<(), SaveError> {
        let disk = &self.store.disk;
        self.with_pgn_path(uninterrupted(|| disk.make_folder(&self.store.saves())))?;
        if self.with_pgn_path(uninterrupted(|| disk.holds(&self.lock)))? {
            return Ok(());
        }
        self.lock = self.store.lock(&self.name)?;
        self.add_removal();
        Ok(())
    }

    /// Notes for the user, once, that the folder or the files were removed or renamed.
    fn add_removal(&mut self) {
        let removal = ExternalChange::Removed(self.store.saves());
        if !self.external_changes.contains(&removal) {
            self.external_changes.push(removal);
        }
    }

    /// Checks whether another program has written the PGN file since it was read or written here, and if so, sets its
    /// contents aside.
    fn set_aside_foreign_text(&mut self) -> Result<(), SaveError> {
        let path = self.store.pgn_path(&self.name);
        let Some(there) = self.store.bytes(&path)? else {
            return Ok(());
        };
        let is_known = self.known_checksum == Some(save_file::checksum(&there))
            || self.doubtful.iter().any(|(_, bytes)| *bytes == there);
        if !is_known {
            let copy = self.store.copy_aside(&self.name, "pgn", &there)?;
            self.external_changes.push(ExternalChange::Changed(copy));
        }
        Ok(())
    }

    /// Replaces the PGN file and removes the journal.
    fn replace(&mut self, text: &str) -> Result<(), SaveError> {
        self.restore_folder()?;
        self.set_aside_foreign_text()?;
        let store = &self.store;
        while let Some((ending, bytes)) = self.doubtful.last() {
            store.copy_aside(&self.name, ending, bytes)?;
            self.doubtful.pop();
        }
        let (path, new) = (store.pgn_path(&self.name), store.draft_path(&self.name));
        let replaced = disk::replace(&store.disk, &path, &new, text.as_bytes());
        store.with_path(&path, replaced)?;
        self.known_checksum = Some(save_file::checksum(text.as_bytes()));
        if self.has_journal() {
            self.journal = None;
            let path = self.store.journal_path(&self.name);
            let removed = if_found(uninterrupted(|| self.store.disk.remove(&path)));
            // A journal that stays is older than the PGN file, by its number, and is ignored.
            self.has_old_journal = removed.is_err();
        }
        Ok(())
    }
}
