//! The folder in which games are kept: what is in it, what a save says, and where a save goes that is deleted or
//! damaged.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use tabiya_game::Step;
use tabiya_rules::{ByColor, Color, Move, Position};
use thiserror::Error;

use crate::disk::{self, Computer, Disk, FileFault, uninterrupted};
use crate::folders::NoHomeFolder;
use crate::save_file::{self, Copy, Damage, Game, Origin, Tail, Unreadable};
use crate::save_name::{NameError, SaveName};

/// The largest file that is read. A game of a hundred thousand moves with a comment to each is smaller.
pub(crate) const LONGEST: u64 = 64 << 20;

/// What the files of a save end with.
const PGN: &str = ".pgn";
const JOURNAL: &str = ".journal";

/// What is in the folder: `saves` with the games, `locks`, and where nothing is ever overwritten, `damaged` and
/// `trash`.
#[derive(Clone, Debug)]
pub struct Store<D = Computer> {
    pub(crate) disk: D,
    folder: PathBuf,
}

/// Why something cannot be done with a save.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SaveError {
    /// There is no folder to save games in.
    #[error(transparent)]
    NoHomeFolder(#[from] NoHomeFolder),
    /// Another program plays it.
    #[error("'{0}' is being played in another window; close it there first.")]
    Busy(SaveName),
    /// There is no such save.
    #[error("There is no save '{0}'.")]
    Missing(SaveName),
    /// There is another game of that name.
    #[error("There is a save '{0}' already; choose another name, or delete it first.")]
    Taken(SaveName),
    /// The game was never given a name.
    #[error("The game has no name yet: save NAME.")]
    Unnamed,
    /// The text is no name.
    #[error(transparent)]
    Name(#[from] NameError),
    /// It is the game that is played, and cannot be opened a second time.
    #[error("'{0}' is the game that is being played, and is saved as it stands.")]
    OpenAlready(SaveName),
    /// It is the game that is played, and nothing else can take its place.
    #[error("'{0}' is the game that is being played; save the review under another name.")]
    NotReplaced(SaveName),
    /// It is the game that is played.
    #[error("'{0}' is the game that is being played, so it is not deleted.")]
    NotDeleted(SaveName),
    /// There are no saves.
    #[error("There is no game to resume.")]
    NothingToResume,
    /// There are only saves of games that have ended.
    #[error("There is no game to resume: all that are kept are over.")]
    AllOver,
    /// Its files cannot be read as a game.
    #[error("'{name}' cannot be read: {why}. {}", set_aside(.aside.as_deref()))]
    Unreadable {
        /// Which save.
        name: SaveName,
        /// What is wrong with it.
        why: Unreadable,
        /// Where it was put.
        aside: Option<PathBuf>,
    },
    /// A file or folder that cannot be used. What is wrong comes first, because a path may be too long for what shows it.
    #[error("{fault}: {}.", .path.display())]
    File {
        /// Which file or folder.
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

/// A save in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// What it is called.
    pub name: SaveName,
    /// When it was last changed.
    pub modified: SystemTime,
}

/// What a list shows of a save. Two are the same if their positions are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The names that the game gives the players.
    pub names: ByColor<Option<String>>,
    /// Who plays either side, as in [`Game::players`].
    pub players: ByColor<Option<String>>,
    /// As the game itself says; empty if it does not.
    pub date: String,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: &'static str,
    /// How many moves were played, a move of both sides as one.
    pub moves: u32,
    /// Where the game began.
    pub start: Position,
    /// The moves from there to where it stands, up to a null move.
    pub line: Vec<Move>,
    /// Where the game stands.
    pub position: Position,
}

/// A save as it was found.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) copy: Copy,
    pub(crate) has_journal: bool,
    /// The checksum of its PGN file, if there is one.
    pub(crate) pgn_sum: Option<u64>,
    /// What must be kept aside before the save is written again: the endings and the bytes of its files.
    pub(crate) doubtful: Vec<(&'static str, Vec<u8>)>,
}

impl<D: Disk> Store<D> {
    /// A store in a folder of a disk.
    pub fn new(disk: D, folder: &Path) -> Store<D> {
        Store {
            disk,
            folder: folder.to_owned(),
        }
    }

    /// Where the games are, for people who look for them.
    pub fn saves(&self) -> PathBuf {
        self.folder.join("saves")
    }

    pub(crate) fn pgn(&self, name: &SaveName) -> PathBuf {
        self.saves().join(format!("{name}{PGN}"))
    }

    pub(crate) fn journal(&self, name: &SaveName) -> PathBuf {
        self.saves().join(format!("{name}{JOURNAL}"))
    }

    /// A new PGN file before it takes the place of the old one.
    pub(crate) fn new_pgn(&self, name: &SaveName) -> PathBuf {
        self.saves().join(format!("{name}.new"))
    }

    /// Locks a save until the lock is dropped.
    pub(crate) fn lock(&self, name: &SaveName) -> Result<D::Lock, SaveError> {
        let folder = self.folder.join("locks");
        for folder in [&self.saves(), &folder] {
            self.tell(folder, uninterrupted(|| self.disk.make_folder(folder)))?;
        }
        let path = folder.join(format!("{name}.lock"));
        let lock = self.tell(&path, uninterrupted(|| self.disk.lock(&path)))?;
        lock.ok_or_else(|| SaveError::Busy(name.clone()))
    }

    /// Whether there is anything of that name.
    pub(crate) fn has(&self, name: &SaveName) -> Result<bool, SaveError> {
        for path in [self.pgn(name), self.journal(name)] {
            if self.tell(&path, uninterrupted(|| self.disk.exists(&path)))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Every save, the one that was changed last first. A folder that is not there has none.
    pub fn list(&self) -> Result<Vec<Listed>, SaveError> {
        let folder = self.saves();
        let files = match uninterrupted(|| self.disk.list(&folder, is_save)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            listed => self.tell(&folder, listed)?,
        };
        let (journals, pgns): (Vec<_>, Vec<_>) = files
            .into_iter()
            .partition(|(file, _)| file.ends_with(JOURNAL));
        let stem = |mut file: String, ending: &str| {
            file.truncate(file.len() - ending.len());
            file
        };
        // A save with a journal has two files, and was changed when the later of them was.
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
            Some(Listed { name, modified })
        });
        Ok(listed.collect())
    }

    /// The names of all saves, as far as they can be found out.
    pub fn names(&self) -> Vec<String> {
        let listed = self.list().unwrap_or_default();
        listed.into_iter().map(|one| one.name.to_string()).collect()
    }

    /// The save that was changed last and whose game is not over, or why there is none. Also the problem with the
    /// newest save that is newer still and cannot be read.
    pub fn latest(&self) -> Result<(SaveName, Option<SaveError>), SaveError> {
        let listed = self.list()?;
        let none = match listed.len() {
            0 => SaveError::NothingToResume,
            _ => SaveError::AllOver,
        };
        let mut passed_over = None;
        for Listed { name, .. } in listed {
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

    /// Whether a save is one of a game that is over, as far as can be seen without playing it through: there may be very
    /// many that are. It must be as this program wrote it, and without a journal.
    fn is_surely_over(&self, name: &SaveName) -> bool {
        let journal = uninterrupted(|| self.disk.exists(&self.journal(name)));
        if !journal.is_ok_and(|there| !there) {
            return false;
        }
        let pgn = self.bytes(&self.pgn(name));
        pgn.is_ok_and(|pgn| pgn.is_some_and(|bytes| save_file::is_surely_over(&bytes)))
    }

    /// The save that was changed last and that no program has open, with what a list shows of it.
    pub fn abandoned(&self) -> Option<(SaveName, Summary)> {
        let listed = self.list().ok()?;
        listed.into_iter().find_map(|Listed { name, .. }| {
            let about = self.peek(&name).ok()?;
            self.is_free(&name).then_some((name, about))
        })
    }

    /// Whether no program has a save open.
    pub fn is_free(&self, name: &SaveName) -> bool {
        // The lock is let go of at once: this was only a question.
        self.lock(name).is_ok()
    }

    /// What a list shows of a save. Nothing is changed, whatever state it is in.
    pub fn peek(&self, name: &SaveName) -> Result<Summary, SaveError> {
        Ok(summary(&self.read(name)?))
    }

    /// The game of a save. Nothing is changed, whatever state it is in.
    pub(crate) fn read(&self, name: &SaveName) -> Result<Game, SaveError> {
        Ok(self.find(name)?.copy.game)
    }

    /// Finds the latest whole copy of a save.
    pub(crate) fn find(&self, name: &SaveName) -> Result<Found, SaveError> {
        let pgn = self.bytes(&self.pgn(name))?;
        let log = self.bytes(&self.journal(name))?;
        let unreadable = |why| SaveError::Unreadable {
            name: name.clone(),
            why,
            aside: None,
        };
        let journal = log.as_deref().map(save_file::journal);
        let from_log = journal
            .as_ref()
            .and_then(|journal| journal.last)
            .map(save_file::read);
        let from_pgn = pgn.as_deref().map(save_file::read);
        for read in [&from_log, &from_pgn] {
            if let Some(Err(newer @ Unreadable::Newer(_))) = read {
                return Err(unreadable(*newer));
            }
        }
        // A torn entry was never shown as played. If nothing else is left of a game, it is set aside anyway.
        let log_is_good = journal.is_some_and(|journal| match (&from_log, journal.tail) {
            (Some(Ok(_)), Tail::Nothing | Tail::Torn) => true,
            (None, Tail::Torn) => matches!(from_pgn, Some(Ok(_))),
            _ => false,
        });
        let is_begun = journal.is_some_and(|journal| {
            // A program that died between two calls leaves an empty journal, and nothing else of a game.
            journal.last.is_some() || journal.tail != Tail::Nothing
        });
        let pgn_is_good = matches!(&from_pgn, Some(Ok(copy)) if copy.origin == Origin::Own);
        let has_journal = log.is_some();
        let pgn_sum = pgn.as_deref().map(save_file::checksum);
        let mut doubtful = Vec::new();
        doubtful.extend(pgn.filter(|_| !pgn_is_good).map(|bytes| ("pgn", bytes)));
        doubtful.extend(
            log.filter(|bytes| !log_is_good && !bytes.is_empty())
                .map(|bytes| ("journal", bytes)),
        );
        let copy = match (from_log, from_pgn) {
            (Some(Ok(log)), Some(Ok(pgn))) if pgn.number > log.number => pgn,
            (Some(Ok(copy)), _) | (_, Some(Ok(copy))) => copy,
            (_, Some(Err(why))) | (Some(Err(why)), None) => return Err(unreadable(why)),
            (None, None) if is_begun => {
                return Err(unreadable(Damage::NoEntry.into()));
            }
            (None, None) => return Err(SaveError::Missing(name.clone())),
        };
        Ok(Found {
            copy,
            has_journal,
            pgn_sum,
            doubtful,
        })
    }

    /// Moves a damaged save out of the way. The lock must be held.
    pub(crate) fn set_aside(&self, name: &SaveName) -> Result<PathBuf, SaveError> {
        self.put_away(name, "damaged")
    }

    /// Moves a save into the trash.
    pub fn delete(&self, name: &SaveName) -> Result<PathBuf, SaveError> {
        let _lock = self.lock(name)?;
        if !self.has(name)? {
            return Err(SaveError::Missing(name.clone()));
        }
        self.put_away(name, "trash")
    }

    /// Moves the files of a save into another folder, under a name that nothing there has.
    fn put_away(&self, name: &SaveName, folder: &str) -> Result<PathBuf, SaveError> {
        let (folder, stem) = self.free_place(name, folder)?;
        let mut put = folder.clone();
        for (from, ending) in [(self.pgn(name), "pgn"), (self.journal(name), "journal")] {
            let to = folder.join(format!("{stem}.{ending}"));
            match uninterrupted(|| self.disk.rename(&from, &to)) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                done => self.tell(&from, done)?,
            }
            put = to;
        }
        for folder in [&folder, &self.saves()] {
            self.tell(folder, uninterrupted(|| self.disk.sync_folder(folder)))?;
        }
        Ok(put)
    }

    /// Writes a copy of a doubtful file where nothing is overwritten, and says where.
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
        self.tell(&path, written)?;
        Ok(path)
    }

    /// A folder beside the saves, and a name that nothing in it has: the time makes it so, also if two programs put
    /// saves of one name away.
    fn free_place(&self, name: &SaveName, folder: &str) -> Result<(PathBuf, String), SaveError> {
        let folder = self.folder.join(folder);
        self.tell(&folder, uninterrupted(|| self.disk.make_folder(&folder)))?;
        let mut time = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |time| time.as_nanos());
        loop {
            let stem = format!("{name}.{time}");
            let path = folder.join(format!("{stem}.pgn"));
            if !self.tell(&path, uninterrupted(|| self.disk.exists(&path)))? {
                return Ok((folder, stem));
            }
            time += 1;
        }
    }

    fn bytes(&self, path: &Path) -> Result<Option<Vec<u8>>, SaveError> {
        match uninterrupted(|| self.disk.read(path, LONGEST)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            read => self.tell(path, read).map(Some),
        }
    }

    /// Names the file in what the system says.
    pub(crate) fn tell<T>(&self, path: &Path, done: io::Result<T>) -> Result<T, SaveError> {
        done.map_err(|error| SaveError::File {
            path: path.to_owned(),
            fault: disk::why(&error),
        })
    }
}

/// Whether a file may be one of a save.
fn is_save(file: &str) -> bool {
    file.ends_with(PGN) || file.ends_with(JOURNAL)
}

fn summary(game: &Game) -> Summary {
    let session = &game.session;
    let tags = session.record().tags();
    Summary {
        names: ByColor::from_fn(|color: Color| tags.get(color.name()).map(str::to_owned)),
        players: game.players.clone(),
        date: tags.get("Date").unwrap_or_default().to_owned(),
        result: session.publish().result().as_str(),
        moves: (session.record().cursor_line().len() as u32).div_ceil(2),
        start: *session.record().root().position(),
        line: session
            .record()
            .cursor_line()
            .map_while(|node| match node.step() {
                Some(Step::Move(m)) => Some(m),
                Some(Step::Null) | None => None,
            })
            .collect(),
        position: *session.position(),
    }
}
