//! Saves the game being played: which save it has, and the messages about it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use thiserror::Error;

use crate::disk::{Disk, SystemDisk};
use crate::local_time;
use crate::open_save::{ExternalChange, OpenSave};
use crate::paths::{Folders, NoHomeFolder};
use crate::save_file::SavedGame;
use crate::save_name::SaveName;
use crate::store::{SaveError, Store, Summary};

/// How often the time on a running clock is saved.
pub const CLOCK_INTERVAL: Duration = Duration::from_secs(1);

/// A way to write a game to its save, on a date.
type Write<D> = fn(&mut OpenSave<D>, &SavedGame, &str) -> Result<(), SaveError>;

/// What is saved, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveKind {
    /// A game being played.
    Game,
    /// A game under review.
    Review,
}

impl fmt::Display for SaveKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SaveKind::Game => "game",
            SaveKind::Review => "review",
        })
    }
}

/// A message about saving.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SaveNotice {
    /// The game is saved, and there is something to say.
    Remark(SaveRemark),
    /// Something went wrong.
    Problem(SaveProblem),
}

/// What there is to say although the game is saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SaveRemark {
    /// Other programs changed the save; the game is saved anyway.
    ExternalChanges(Vec<ExternalChange>),
    /// Saving works again after a failure.
    SavedAgain(SaveKind),
}

/// A problem with saving.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SaveProblem {
    /// A change is not on the disk.
    #[error("The {0} is not saved: {1} You can continue anyway.")]
    NotSaved(SaveKind, SaveError),
    /// The game was closed, but its last state is not on the disk.
    #[error("The game is not saved: {0}")]
    NotReleased(SaveError),
}

impl fmt::Display for SaveRemark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SaveRemark::ExternalChanges(changes) => {
                let sentences: Vec<String> = changes.iter().map(ToString::to_string).collect();
                f.write_str(&sentences.join(" "))
            }
            SaveRemark::SavedAgain(kind) => write!(f, "The {kind} is saved again."),
        }
    }
}

impl fmt::Display for SaveNotice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SaveNotice::Remark(remark) => remark.fmt(f),
            SaveNotice::Problem(problem) => problem.fmt(f),
        }
    }
}

/// A game that was saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// Its name.
    pub name: SaveName,
    /// What other programs did to the save before.
    pub external_changes: Vec<ExternalChange>,
}

impl fmt::Display for Saved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Saved as {}.", self.name)?;
        self.external_changes
            .iter()
            .try_for_each(|one| write!(f, " {one}"))
    }
}

/// A save that was deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trashed {
    /// Its name.
    pub name: SaveName,
    /// Where it is now.
    pub path: PathBuf,
}

impl fmt::Display for Trashed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Trashed { name, path } = self;
        write!(f, "'{name}' is in the trash now: {}", path.display())
    }
}

/// Whether games without a name of their own are saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Autosave {
    /// They are saved.
    On,
    /// They are not saved.
    Off,
}

impl From<bool> for Autosave {
    fn from(on: bool) -> Autosave {
        if on { Autosave::On } else { Autosave::Off }
    }
}

/// Saves the game being played.
///
/// ```
/// use tabiya_game::{Command, NewGame, Session, Timestamp};
/// use tabiya_rules::ByColor;
/// use tabiya_store::{Autosave, Autosaver, SavedGame};
///
/// let folder = std::env::temp_dir().join(format!("tabiya-autosaver-{}", std::process::id()));
/// let mut session = Session::new(NewGame::default());
/// session.apply(Command::play("e4"), Timestamp::ORIGIN)?;
/// let players = ByColor::new(None, None);
///
/// let mut autosaver = Autosaver::in_folder(&folder, Autosave::On);
/// // The game is on disk when this returns. The notice reports a failure, such as a full disk.
/// autosaver.save(&SavedGame { session, players });
/// autosaver.release();
///
/// let (game, _) = Autosaver::in_folder(&folder, Autosave::On).open_latest()?;
/// assert_eq!(game.session.ply(), 1);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Autosaver<D: Disk = SystemDisk> {
    /// The folder, or why there is none.
    store: Result<Store<D>, NoHomeFolder>,
    open: Option<Open<D>>,
    autosave: Autosave,
    /// The game that could not be saved, and why.
    failed: Option<(Box<SavedGame>, SaveError)>,
    kind: SaveKind,
    now: fn() -> Now,
}

#[derive(Debug)]
struct Open<D: Disk> {
    save: OpenSave<D>,
    /// Whether the user named it.
    named: bool,
    /// Whether every change is saved, not only when the user asks.
    saves_changes: bool,
}

/// The time on the user's clock.
#[derive(Clone, Debug)]
pub(crate) struct Now {
    /// The date in the form of PGN: `2026.11.15`.
    pub date: String,
    /// The name of a game that begins now: `game-2026-11-15-204502`.
    pub name: String,
}

/// Returns the time on the user's clock now, with the name of a game or a review.
fn now(kind: SaveKind) -> Now {
    Now {
        date: local_time::pgn_date(),
        name: format!("{kind}-{}", local_time::stamp()),
    }
}

impl Autosaver<SystemDisk> {
    /// Creates an autosaver for the user's folder.
    pub fn new(autosave: Autosave) -> Autosaver<SystemDisk> {
        let store = Folders::find().map(|folders| Store::new(SystemDisk, folders.data()));
        Autosaver::with_store(store, autosave, || now(SaveKind::Game))
    }

    /// Creates an autosaver for any folder, for games that do not belong among the user's.
    pub fn in_folder(folder: &Path, autosave: Autosave) -> Autosaver<SystemDisk> {
        let store = Store::new(SystemDisk, folder);
        Autosaver::with_store(Ok(store), autosave, || now(SaveKind::Game))
    }

    /// Creates an autosaver for reviews. They are not games to resume, so they have a folder of their own beside the
    /// games.
    pub fn of_reviews(autosave: Autosave) -> Autosaver<SystemDisk> {
        let folder = Folders::find().map(|folders| folders.data().join("reviews"));
        let store = folder.map(|folder| Store::new(SystemDisk, &folder));
        Autosaver {
            kind: SaveKind::Review,
            ..Autosaver::with_store(store, autosave, || now(SaveKind::Review))
        }
    }
}

impl<D: Disk + Clone> Autosaver<D> {
    /// Creates an autosaver for any folder on any disk.
    pub(crate) fn with_store(
        store: Result<Store<D>, NoHomeFolder>,
        autosave: Autosave,
        now: fn() -> Now,
    ) -> Autosaver<D> {
        Autosaver {
            store,
            open: None,
            autosave,
            failed: None,
            kind: SaveKind::Game,
            now,
        }
    }

    /// Returns whether games without a name of their own are saved.
    pub fn autosave(&self) -> Autosave {
        self.autosave
    }

    /// Removes the save, because it is no longer wanted or is in a file of the user.
    pub fn discard(&mut self) {
        self.failed = None;
        if let Some(open) = self.open.take() {
            open.save.discard();
        }
    }

    /// Turns saving of games without a name of their own on or off.
    pub fn set_autosave(&mut self, autosave: Autosave) {
        self.autosave = autosave;
    }

    /// Returns whether changes of the game are saved now.
    pub fn saves_changes(&self) -> bool {
        match &self.open {
            Some(open) => open.saves_changes,
            None => self.autosave == Autosave::On,
        }
    }

    /// Returns the name of the game's save.
    pub fn name(&self) -> Option<&SaveName> {
        self.open.as_ref().map(|open| open.save.name())
    }

    /// Returns whether the last change is not on the disk because of a problem. [`Autosaver::save_again`] tries it
    /// again.
    pub fn has_failed(&self) -> bool {
        self.failed.is_some()
    }

    /// Saves the game, if it is one to be saved. Returns a message whenever that fails, and when it works again.
    pub fn save(&mut self, game: &SavedGame) -> Option<SaveNotice> {
        // A game without moves has nothing to lose.
        let record = game.session.record();
        let is_empty = record.is_empty() && record.root().annotation().is_empty();
        let is_new = self.open.is_none() && is_empty;
        if is_new || !self.saves_changes() {
            return None;
        }
        self.record(game, OpenSave::write_change)
    }

    /// Saves the time that the side to move has used, so that a program that is killed does not give it back. A game
    /// without a save has nothing to add to, and what could not be saved waits for [`Autosaver::save_again`]. Meant to be
    /// called every [`CLOCK_INTERVAL`] while a clock runs; it does not wait for the disk. Returns messages as
    /// [`Autosaver::save`] does.
    pub fn save_clock(&mut self, game: &SavedGame) -> Option<SaveNotice> {
        if self.open.is_none() || self.has_failed() || !self.saves_changes() {
            return None;
        }
        self.record(game, OpenSave::write_clock)
    }

    /// Writes the game. Returns a message if the situation changes.
    fn record(&mut self, game: &SavedGame, write: Write<D>) -> Option<SaveNotice> {
        let written = self.write(game, write);
        let changes = self.external_changes();
        match (written, self.failed.take()) {
            (Ok(()), None) => changes.map(SaveNotice::Remark),
            (Ok(()), Some(_)) => Some(SaveNotice::Remark(
                changes.unwrap_or(SaveRemark::SavedAgain(self.kind)),
            )),
            (Err(why), known) => {
                self.failed = Some((Box::new(game.clone()), why.clone()));
                // A missing folder stays missing, and need not be mentioned again.
                let is_known = known.is_some() && matches!(why, SaveError::NoHomeFolder(_));
                (!is_known).then_some(SaveNotice::Problem(SaveProblem::NotSaved(self.kind, why)))
            }
        }
    }

    /// Tries again to save the game that could not be saved. Returns a message only if the situation changes: when it
    /// works again, or fails for another reason.
    pub fn save_again(&mut self) -> Option<SaveNotice> {
        let (game, known) = self.failed.as_ref()?;
        let (game, known) = (game.clone(), known.clone());
        let notice = self.save(&game);
        let same = |(_, why): &(_, SaveError)| *why == known;
        notice.filter(|_| !self.failed.as_ref().is_some_and(same))
    }

    /// Returns what other programs have done to the save since the last call.
    fn external_changes(&mut self) -> Option<SaveRemark> {
        remark_on(self.open.as_mut()?.save.take_external_changes())
    }

    /// Returns the folder, to show to the user.
    pub fn store(&self) -> Result<&Store<D>, SaveError> {
        Ok(self.store.as_ref().map_err(|&none| none)?)
    }

    /// Writes the game to its save, which is created if there is none. A game that is over becomes PGN.
    fn write(&mut self, game: &SavedGame, write: Write<D>) -> Result<(), SaveError> {
        let Now { date, name } = (self.now)();
        if self.open.is_none() {
            let save = free_slot(self.store()?, &name)?;
            self.open = Some(Open {
                save,
                named: false,
                saves_changes: true,
            });
        }
        let Some(Open { save, .. }) = &mut self.open else {
            return Ok(());
        };
        let mut written = write(save, game, &date);
        if game.session.outcome().is_some() {
            // No more changes will come, so the game can become PGN now.
            written = written.and_then(|()| save.write_pgn());
        }
        written
    }

    /// Saves the game under a name from now on, or under the name it has.
    pub fn save_as(
        &mut self,
        name: Option<&SaveName>,
        game: &SavedGame,
    ) -> Result<Saved, SaveError> {
        let name = match (name, &self.open) {
            (Some(name), _) => name.clone(),
            (None, Some(open)) if open.named => open.save.name().clone(),
            (None, _) => return Err(SaveError::Unnamed),
        };
        if self.name() == Some(&name)
            && let Some(open) = &mut self.open
        {
            let date = (self.now)().date;
            open.named = true;
            open.save.save_pgn(game, &date)?;
            self.failed = None;
            let external_changes = open.save.take_external_changes();
            return Ok(Saved {
                name,
                external_changes,
            });
        }
        self.save_as_new(&name, game)
    }

    /// Saves the game to a new save from now on.
    fn save_as_new(&mut self, name: &SaveName, game: &SavedGame) -> Result<Saved, SaveError> {
        let save = self.create(name, game)?;
        self.failed = None;
        let open = Open {
            save,
            named: true,
            saves_changes: self.autosave == Autosave::On,
        };
        match self.open.replace(open) {
            // The new save has everything that is in the old one.
            Some(old) if !old.named => old.save.discard(),
            Some(mut old) => {
                // If this fails, its journal still has the game.
                let _ = old.save.write_pgn();
            }
            None => {}
        }
        Ok(saved(name))
    }

    /// Saves a game under a name, independently of the game being played.
    pub fn save_copy(&self, name: &SaveName, game: &SavedGame) -> Result<Saved, SaveError> {
        self.create(name, game)?;
        Ok(saved(name))
    }

    /// Replaces the game in a save with another. At every moment the save holds one of the two as a whole. The
    /// players stay the same.
    pub fn save_over(&self, name: &SaveName, game: &SavedGame) -> Result<Saved, SaveError> {
        if self.name() == Some(name) {
            return Err(SaveError::NotReplaced(name.clone()));
        }
        let (mut save, old) = OpenSave::open(self.store()?, name)?;
        let game = SavedGame {
            session: game.session.clone(),
            players: old.players,
        };
        save.save_pgn(&game, &(self.now)().date)?;
        Ok(saved(name))
    }

    /// Creates a new save with a game.
    fn create(&self, name: &SaveName, game: &SavedGame) -> Result<OpenSave<D>, SaveError> {
        let mut save = OpenSave::create(self.store()?, name)?;
        save.save_pgn(game, &(self.now)().date)?;
        Ok(save)
    }

    /// Reads a save without changing it. It may be open in another program.
    pub fn look(&self, name: &SaveName) -> Result<SavedGame, SaveError> {
        self.store()?.read(name)
    }

    /// Opens a save and saves to it from now on. The save that was open before is released.
    pub fn open(&mut self, name: &SaveName) -> Result<SavedGame, SaveError> {
        if let Some(open) = &self.open
            && open.save.name() == name
        {
            if open.saves_changes {
                return Err(SaveError::OpenAlready(name.clone()));
            }
            // The game went on without the save, and the user wants back what was saved.
            self.release();
        }
        let (save, game) = OpenSave::open(self.store()?, name)?;
        self.release();
        self.open = Some(Open {
            save,
            named: !is_slot(name),
            saves_changes: true,
        });
        Ok(game)
    }

    /// Opens the last game played that is not over. Also returns the error of a newer one that could not be read.
    pub fn open_latest(&mut self) -> Result<(SavedGame, Option<SaveError>), SaveError> {
        let (name, passed_over) = self.store()?.latest()?;
        Ok((self.open(&name)?, passed_over))
    }

    /// Closes the save, as PGN. Returns what prevents that.
    pub fn release(&mut self) -> Option<SaveNotice> {
        self.failed = None;
        let mut open = self.open.take()?;
        match open.save.write_pgn() {
            Err(why) => Some(SaveNotice::Problem(SaveProblem::NotReleased(why))),
            Ok(()) => remark_on(open.save.take_external_changes()).map(SaveNotice::Remark),
        }
    }

    /// Returns the list entry of a save; `None` if there is no such save any more.
    pub fn peek(&self, name: &SaveName) -> Option<Result<Summary, SaveError>> {
        match self.store().and_then(|store| store.peek(name)) {
            Err(SaveError::Missing(_)) => None,
            peeked => Some(peeked),
        }
    }

    /// Checks whether a save can be deleted.
    pub fn can_delete(&self, name: &SaveName) -> Result<(), SaveError> {
        if self.name() == Some(name) {
            return Err(SaveError::NotDeleted(name.clone()));
        }
        match self.store()?.has(name)? {
            true => Ok(()),
            false => Err(SaveError::Missing(name.clone())),
        }
    }

    /// Moves a save to the trash, and returns where it is.
    pub fn delete(&mut self, name: &SaveName) -> Result<Trashed, SaveError> {
        self.can_delete(name)?;
        let path = self.store()?.delete(name)?;
        let name = name.clone();
        Ok(Trashed { name, path })
    }
}

/// Returns the result of saving under a name, where no other program has changed anything.
fn saved(name: &SaveName) -> Saved {
    Saved {
        name: name.clone(),
        external_changes: Vec::new(),
    }
}

/// Returns the remark on what other programs did, if they did anything.
fn remark_on(external_changes: Vec<ExternalChange>) -> Option<SaveRemark> {
    (!external_changes.is_empty()).then_some(SaveRemark::ExternalChanges(external_changes))
}

/// Returns whether a save has a generated name, as [`now`] and [`free_slot`] make them.
fn is_slot(name: &SaveName) -> bool {
    // Zeros stand for any digit.
    const SLOT: &str = "game-0000-00-00-000000";
    let digits_as_zeros = name.as_str().replace(|c: char| c.is_ascii_digit(), "0");
    let is_number = |text: &str| !text.is_empty() && text.trim_matches('0').is_empty();
    digits_as_zeros
        .strip_prefix(SLOT)
        .is_some_and(|number| number.is_empty() || number.strip_prefix('-').is_some_and(is_number))
}

/// Creates a save with a generated name: the time, and a number if two games begin within one second.
fn free_slot<D: Disk + Clone>(store: &Store<D>, name: &str) -> Result<OpenSave<D>, SaveError> {
    let mut number = 1;
    loop {
        let name = match number {
            1 => name.to_owned(),
            number => format!("{name}-{number}"),
        };
        // Such a name consists of letters, digits and dashes.
        let slot = SaveName::new(&name)?;
        match OpenSave::create(store, &slot) {
            Err(SaveError::Taken(_) | SaveError::Busy(_)) if number < 1000 => number += 1,
            save => return save,
        }
    }
}
