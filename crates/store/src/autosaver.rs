//! The game that is played, as far as keeping is concerned: which save it has, and what is said about it.

use std::fmt;
use std::path::{Path, PathBuf};

use tabiya_game::Record;
use thiserror::Error;

use crate::disk::{Computer, Disk};
use crate::folders::{Folders, NoHomeFolder};
use crate::local_time;
use crate::open_save::{OpenSave, Surprise};
use crate::save_file::Game;
use crate::save_name::SaveName;
use crate::store::{SaveError, Store, Summary};

/// What is kept, for sentences about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A game that is played.
    Game,
    /// A game that is looked at and changed.
    Review,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Game => "game",
            Kind::Review => "review",
        })
    }
}

/// Something to be said about keeping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// Something that went well.
    News(News),
    /// Something that went wrong.
    Trouble(Trouble),
}

/// Something about keeping that went well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// Others changed the save; the game is saved anyway.
    Surprises(Vec<Surprise>),
    /// What could not be kept for a while is.
    KeptAgain(Kind),
}

/// Something about keeping that went wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Trouble {
    /// A change is not on the disk.
    #[error("The {0} is not kept: {1} It goes on all the same.")]
    NotKept(Kind, SaveError),
    /// The game is left, and is not on the disk as it stands.
    #[error("The game is not kept: {0}")]
    NotReleased(SaveError),
}

impl fmt::Display for News {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            News::Surprises(surprises) => f.write_str(&sentences(surprises)),
            News::KeptAgain(kind) => write!(f, "The {kind} is kept again."),
        }
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remark::News(news) => news.fmt(f),
            Remark::Trouble(trouble) => trouble.fmt(f),
        }
    }
}

/// A game that was saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// Under which name.
    pub name: SaveName,
    /// What others did to the save before.
    pub surprises: Vec<Surprise>,
}

impl fmt::Display for Saved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Saved as {}.", self.name)?;
        self.surprises
            .iter()
            .try_for_each(|one| write!(f, " {one}"))
    }
}

/// A save that was deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trashed {
    /// What it was called.
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

/// Whether games that were never saved by a name are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Autosave {
    /// They are.
    On,
    /// They are not.
    Off,
}

impl From<bool> for Autosave {
    fn from(on: bool) -> Autosave {
        if on { Autosave::On } else { Autosave::Off }
    }
}

/// Keeps the game that is played.
///
/// ```
/// use tabiya_game::{Command, NewGame, Session, Timestamp};
/// use tabiya_rules::ByColor;
/// use tabiya_store::{Autosave, Autosaver, Game};
///
/// let folder = std::env::temp_dir().join(format!("tabiya-autosaver-{}", std::process::id()));
/// let mut session = Session::new(NewGame::default());
/// session.apply(Command::play("e4"), Timestamp::ORIGIN)?;
/// let players = ByColor::new(None, None);
///
/// let mut autosaver = Autosaver::in_folder(&folder, Autosave::On);
/// // The game is on disk when this returns. A full disk, for one, is told by the remark.
/// autosaver.keep(&Game { session, players });
/// autosaver.release();
///
/// let (game, _) = Autosaver::in_folder(&folder, Autosave::On).open_latest()?;
/// assert_eq!(game.session.ply(), 1);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Autosaver<D: Disk = Computer> {
    /// The folder, or why there is none.
    store: Result<Store<D>, NoHomeFolder>,
    kept: Option<Open<D>>,
    autosave: Autosave,
    /// What was said last about a disk that does not do as it should.
    trouble: Option<SaveError>,
    kind: Kind,
    now: fn() -> Now,
}

#[derive(Debug)]
struct Open<D: Disk> {
    kept: OpenSave<D>,
    /// Whether the user has given it its name.
    named: bool,
    /// Whether every change is brought to it, and not only what the user saves.
    follows: bool,
}

/// The time on the user's clock.
#[derive(Clone, Debug)]
pub(crate) struct Now {
    /// As PGN writes it: `2026.11.15`.
    pub date: String,
    /// The name of a game that begins now: `game-2026-11-15-204502`.
    pub name: String,
}

/// The time on the user's clock now.
fn now() -> Now {
    Now {
        date: local_time::pgn_date(),
        name: format!("game-{}", local_time::stamp()),
    }
}

impl Autosaver<Computer> {
    /// Keeps games in the folder of the user.
    pub fn new(autosave: Autosave) -> Autosaver<Computer> {
        let store = Folders::find().map(|folders| Store::new(Computer, folders.data()));
        Autosaver::with(store, autosave, now)
    }

    /// Keeps games in any folder, where they are not among those of the user.
    pub fn in_folder(folder: &Path, autosave: Autosave) -> Autosaver<Computer> {
        Autosaver::with(Ok(Store::new(Computer, folder)), autosave, now)
    }

    /// Saves reviews, which are not games to resume, in a folder of their own beside the games.
    pub fn of_reviews(autosave: Autosave) -> Autosaver<Computer> {
        let folder = |folders: Folders| folders.data().join("reviews");
        let store = Folders::find().map(|folders| Store::new(Computer, &folder(folders)));
        let now = || Now {
            date: local_time::pgn_date(),
            name: format!("review-{}", local_time::stamp()),
        };
        Autosaver {
            kind: Kind::Review,
            ..Autosaver::with(store, autosave, now)
        }
    }
}

impl<D: Disk + Clone> Autosaver<D> {
    /// The same in any folder.
    pub(crate) fn with(
        store: Result<Store<D>, NoHomeFolder>,
        autosave: Autosave,
        now: fn() -> Now,
    ) -> Autosaver<D> {
        Autosaver {
            store,
            kept: None,
            autosave,
            trouble: None,
            kind: Kind::Game,
            now,
        }
    }

    /// Whether games that were never saved by a name are kept.
    pub fn autosave(&self) -> Autosave {
        self.autosave
    }

    /// Removes what is kept, because it is wanted no longer or in a file of the user.
    pub fn discard(&mut self) {
        self.trouble = None;
        if let Some(open) = self.kept.take() {
            open.kept.discard();
        }
    }

    /// Keeps games that were never saved by a name from now on, or no longer.
    pub fn set_autosave(&mut self, autosave: Autosave) {
        self.autosave = autosave;
    }

    /// Whether changes of the game are brought to the disk now.
    pub fn follows(&self) -> bool {
        match &self.kept {
            Some(open) => open.follows,
            None => self.autosave == Autosave::On,
        }
    }

    /// The name of the save that the game has.
    pub fn name(&self) -> Option<&SaveName> {
        self.kept.as_ref().map(|open| open.kept.name())
    }

    /// Brings the game to the disk, if it is one that is kept. Says something only when that changes: the first time
    /// it fails, and when it works again.
    pub fn keep(&mut self, game: &Game) -> Option<Remark> {
        // A game in which nothing was played yet has nothing to lose.
        let record = game.session.record();
        let is_empty = record.is_empty() && record.root().annotation().is_empty();
        let is_new = self.kept.is_none() && is_empty;
        if is_new || !self.follows() {
            return None;
        }
        let written = self.write(game);
        let surprise = self.surprise();
        match (written, self.trouble.take()) {
            (Ok(()), None) => surprise.map(Remark::News),
            (Ok(()), Some(_)) => Some(Remark::News(surprise.unwrap_or(News::KeptAgain(self.kind)))),
            (Err(why), known) => {
                let same = known.as_ref() == Some(&why);
                self.trouble = Some(why.clone());
                (!same).then_some(Remark::Trouble(Trouble::NotKept(self.kind, why)))
            }
        }
    }

    /// What others did to the save since this was last asked.
    fn surprise(&mut self) -> Option<News> {
        news_of(self.kept.as_mut()?.kept.take_surprises())
    }

    /// The folder, to be shown to the user.
    pub fn store(&self) -> Result<&Store<D>, SaveError> {
        Ok(self.store.as_ref().map_err(|&none| none)?)
    }

    fn write(&mut self, game: &Game) -> Result<(), SaveError> {
        let Now { date, name } = (self.now)();
        if self.kept.is_none() {
            let kept = free_slot(self.store()?, &name)?;
            self.kept = Some(Open {
                kept,
                named: false,
                follows: true,
            });
        }
        let Some(Open { kept, .. }) = &mut self.kept else {
            return Ok(());
        };
        let mut written = kept.write(game, &date);
        if game.session.outcome().is_some() {
            // Nothing more will come, so that the game can be PGN at once.
            written = written.and_then(|()| kept.settle());
        }
        written
    }

    /// Keeps the game under a name from now on, or under the one that it has, and says so.
    pub fn save_as(&mut self, name: Option<&SaveName>, game: &Game) -> Result<Saved, SaveError> {
        let name = match (name, &self.kept) {
            (Some(name), _) => name.clone(),
            (None, Some(open)) if open.named => open.kept.name().clone(),
            (None, _) => return Err(SaveError::Unnamed),
        };
        if self.name() == Some(&name)
            && let Some(open) = &mut self.kept
        {
            let date = (self.now)().date;
            open.named = true;
            open.kept.save(game, &date)?;
            self.trouble = None;
            let surprises = open.kept.take_surprises();
            return Ok(Saved { name, surprises });
        }
        let kept = self.create(&name, game)?;
        self.trouble = None;
        let open = Open {
            kept,
            named: true,
            follows: self.autosave == Autosave::On,
        };
        match self.kept.replace(open) {
            // Nothing is in it that is not in the new one.
            Some(old) if !old.named => old.kept.discard(),
            Some(mut old) => {
                // It has a journal of its own where this fails.
                let _ = old.kept.settle();
            }
            None => {}
        }
        Ok(saved(&name))
    }

    /// Keeps a game under a name, whatever game is played meanwhile, and says so.
    pub fn save_copy(&self, name: &SaveName, game: &Game) -> Result<Saved, SaveError> {
        self.create(name, game)?;
        Ok(saved(name))
    }

    /// Replaces the game that a save holds by another, and says so. At every moment the save holds one of them as a
    /// whole. Who plays stays as it was.
    pub fn save_over(&self, name: &SaveName, game: &Game) -> Result<Saved, SaveError> {
        if self.name() == Some(name) {
            return Err(SaveError::NotReplaced(name.clone()));
        }
        let (mut kept, old) = OpenSave::open(self.store()?, name)?;
        let game = Game {
            session: game.session.clone(),
            players: old.players,
        };
        kept.save(&game, &(self.now)().date)?;
        Ok(saved(name))
    }

    /// A new save with a game in it.
    fn create(&self, name: &SaveName, game: &Game) -> Result<OpenSave<D>, SaveError> {
        let mut kept = OpenSave::create(self.store()?, name)?;
        kept.save(game, &(self.now)().date)?;
        Ok(kept)
    }

    /// Reads a save to look at it. Nothing is changed, and it may be one that is being played.
    pub fn look(&self, name: &SaveName) -> Result<Record, SaveError> {
        Ok(self.store()?.read(name)?.session.publish())
    }

    /// Opens a save and saves to it from now on. The save that was open before is released.
    pub fn open(&mut self, name: &SaveName) -> Result<Game, SaveError> {
        if let Some(open) = &self.kept
            && open.kept.name() == name
        {
            if open.follows {
                return Err(SaveError::OpenAlready(name.clone()));
            }
            // The game went on without it, and what was saved is wanted back.
            self.release();
        }
        let (kept, game) = OpenSave::open(self.store()?, name)?;
        self.release();
        self.kept = Some(Open {
            kept,
            named: !is_slot(name),
            follows: true,
        });
        Ok(game)
    }

    /// Opens the game that was played last and is not over. Also says which newer one could not be read.
    pub fn open_latest(&mut self) -> Result<(Game, Option<SaveError>), SaveError> {
        let (name, passed_over) = self.store()?.latest()?;
        Ok((self.open(&name)?, passed_over))
    }

    /// Lets go of the save, as PGN. Says what is in the way of that.
    pub fn release(&mut self) -> Option<Remark> {
        self.trouble = None;
        let mut open = self.kept.take()?;
        match open.kept.settle() {
            Err(why) => Some(Remark::Trouble(Trouble::NotReleased(why))),
            Ok(()) => news_of(open.kept.take_surprises()).map(Remark::News),
        }
    }

    /// The list entry of a save; `None` if there is no such save, or no longer.
    pub fn peek(&self, name: &SaveName) -> Option<Result<Summary, SaveError>> {
        match self.store().and_then(|store| store.peek(name)) {
            Err(SaveError::Missing(_)) => None,
            peeked => Some(peeked),
        }
    }

    /// Whether there is anything to be deleted, or why not.
    pub fn can_delete(&self, name: &SaveName) -> Result<(), SaveError> {
        if self.name() == Some(name) {
            return Err(SaveError::NotDeleted(name.clone()));
        }
        if self.store()?.has(name)? {
            Ok(())
        } else {
            Err(SaveError::Missing(name.clone()))
        }
    }

    /// Moves a save into the trash, and says where it is.
    pub fn delete(&mut self, name: &SaveName) -> Result<Trashed, SaveError> {
        self.can_delete(name)?;
        let path = self.store()?.delete(name)?;
        let name = name.clone();
        Ok(Trashed { name, path })
    }
}

fn saved(name: &SaveName) -> Saved {
    Saved {
        name: name.clone(),
        surprises: Vec::new(),
    }
}

/// What others did, if they did anything.
fn news_of(surprises: Vec<Surprise>) -> Option<News> {
    (!surprises.is_empty()).then_some(News::Surprises(surprises))
}

fn sentences(surprises: &[Surprise]) -> String {
    let sentences: Vec<String> = surprises.iter().map(ToString::to_string).collect();
    sentences.join(" ")
}

/// Whether a save has a generated name, as [`now`] and [`free_slot`] make them.
fn is_slot(name: &SaveName) -> bool {
    // What stands for a digit in the name of a slot.
    const SLOT: &str = "game-0000-00-00-000000";
    let fits = |(sign, known): (char, char)| match known {
        '0' => sign.is_ascii_digit(),
        known => sign == known,
    };
    let Some((slot, number)) = name.as_str().split_at_checked(SLOT.len()) else {
        return false;
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    slot.chars().zip(SLOT.chars()).all(fits)
        && (number.is_empty() || number.strip_prefix('-').is_some_and(is_number))
}

/// A save with a generated name: the time, and a number if two games begin within one second.
fn free_slot<D: Disk + Clone>(store: &Store<D>, name: &str) -> Result<OpenSave<D>, SaveError> {
    let mut number = 1;
    loop {
        let name = match number {
            1 => name.to_owned(),
            number => format!("{name}-{number}"),
        };
        // Such a name is made of letters, digits and dashes.
        let slot = SaveName::new(&name)?;
        match OpenSave::create(store, &slot) {
            Err(SaveError::Taken(_) | SaveError::Busy(_)) if number < 1000 => number += 1,
            kept => return kept,
        }
    }
}
