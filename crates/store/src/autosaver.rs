//! The game that is played, as far as keeping is concerned: which save it has, and what is said about it.

use tabiya_game::Record;

use crate::disk::{Computer, Disk};
use crate::folders::Folders;
use crate::local_time;
use crate::open_save::{OpenSave, Surprise};
use crate::save_file::Game;
use crate::save_name::SaveName;
use crate::store::{SaveError, Store, Summary};

/// Something to be said about keeping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// Something that went well.
    News(String),
    /// Something that went wrong.
    Trouble(String),
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
#[derive(Debug)]
pub struct Autosaver<D: Disk = Computer> {
    /// The folder, or why there is none.
    store: Result<Store<D>, String>,
    kept: Option<Open<D>>,
    autosave: Autosave,
    /// What was said last about a disk that does not do as it should.
    trouble: Option<String>,
    /// What is kept, for sentences about it.
    what: &'static str,
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

    /// Keeps reviews, which are no games to be resumed, in a folder of their own beside the games.
    pub fn of_reviews(autosave: Autosave) -> Autosaver<Computer> {
        let folder = |folders: Folders| folders.data().join("reviews");
        let store = Folders::find().map(|folders| Store::new(Computer, &folder(folders)));
        let now = || Now {
            date: local_time::pgn_date(),
            name: format!("review-{}", local_time::stamp()),
        };
        Autosaver {
            what: "review",
            ..Autosaver::with(store, autosave, now)
        }
    }
}

impl<D: Disk + Clone> Autosaver<D> {
    /// The same in any folder.
    pub(crate) fn with(
        store: Result<Store<D>, String>,
        autosave: Autosave,
        now: fn() -> Now,
    ) -> Autosaver<D> {
        Autosaver {
            store,
            kept: None,
            autosave,
            trouble: None,
            what: "game",
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
            (Ok(()), Some(_)) => {
                let again = format!("The {} is kept again.", self.what);
                Some(Remark::News(surprise.unwrap_or(again)))
            }
            (Err(why), known) => {
                let same = known.as_ref() == Some(&why);
                self.trouble = Some(why.clone());
                let what = self.what;
                let sentence = format!("The {what} is not kept: {why} It goes on all the same.");
                (!same).then_some(Remark::Trouble(sentence))
            }
        }
    }

    /// What others did to the save since this was last asked, in a sentence or two.
    fn surprise(&mut self) -> Option<String> {
        let surprises = self.kept.as_mut()?.kept.take_surprises();
        sentences(&surprises)
    }

    fn write(&mut self, game: &Game) -> Result<(), String> {
        let Now { date, name } = (self.now)();
        if self.kept.is_none() {
            let store = self.store.as_ref().map_err(Clone::clone)?;
            let kept = free_slot(store, &name).map_err(|trouble| trouble.to_string())?;
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
        written.map_err(|trouble| trouble.to_string())
    }

    /// Keeps the game under a name from now on, or under the one that it has, and says so.
    pub fn save_as(&mut self, name: Option<&SaveName>, game: &Game) -> Result<String, String> {
        let name = match (name, &self.kept) {
            (Some(name), _) => name.clone(),
            (None, Some(open)) if open.named => open.kept.name().clone(),
            (None, _) => return Err("The game has no name yet: save NAME.".to_owned()),
        };
        if self.name() == Some(&name)
            && let Some(open) = &mut self.kept
        {
            let date = (self.now)().date;
            open.named = true;
            let kept = &mut open.kept;
            kept.save(game, &date)
                .map_err(|trouble| trouble.to_string())?;
            self.trouble = None;
            let saved = format!("Saved as {name}.");
            return Ok(match self.surprise() {
                Some(surprise) => format!("{saved} {surprise}"),
                None => saved,
            });
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
        Ok(format!("Saved as {name}."))
    }

    /// Keeps a game under a name, whatever game is played meanwhile, and says so.
    pub fn save_copy(&self, name: &SaveName, game: &Game) -> Result<String, String> {
        self.create(name, game)?;
        Ok(format!("Saved as {name}."))
    }

    /// Keeps a game in the place of the one that a save holds, and says so. At every moment the save holds one of them
    /// as a whole. Who plays stays as it was.
    pub fn save_over(&self, name: &SaveName, game: &Game) -> Result<String, String> {
        if self.name() == Some(name) {
            return Err(format!(
                "'{name}' is the game that is being played; save the review under another name."
            ));
        }
        let store = self.store.as_ref().map_err(Clone::clone)?;
        let saved = || -> Result<(), SaveError> {
            let (mut kept, old) = OpenSave::open(store, name)?;
            let game = Game {
                session: game.session.clone(),
                players: old.players,
            };
            kept.save(&game, &(self.now)().date)
        };
        saved().map_err(|trouble| trouble.to_string())?;
        Ok(format!("Saved as {name}."))
    }

    /// A new save with a game in it.
    fn create(&self, name: &SaveName, game: &Game) -> Result<OpenSave<D>, String> {
        let store = self.store.as_ref().map_err(Clone::clone)?;
        let saved = || -> Result<OpenSave<D>, SaveError> {
            let mut kept = OpenSave::create(store, name)?;
            kept.save(game, &(self.now)().date)?;
            Ok(kept)
        };
        saved().map_err(|trouble| trouble.to_string())
    }

    /// Reads a save to look at it. Nothing is changed, and it may be one that is being played.
    pub fn look(&self, name: &SaveName) -> Result<Record, String> {
        let store = self.store.as_ref().map_err(Clone::clone)?;
        let game = store.read(name).map_err(|trouble| trouble.to_string())?;
        Ok(game.session.publish())
    }

    /// Opens a save, to be kept from now on. Whatever was kept before is let go of.
    pub fn open(&mut self, name: &SaveName) -> Result<Game, String> {
        if let Some(open) = &self.kept
            && open.kept.name() == name
        {
            if open.follows {
                return Err(format!(
                    "'{name}' is the game that is being played, and is saved as it stands."
                ));
            }
            // The game went on without it, and what was saved is wanted back.
            self.release();
        }
        let store = self.store.as_ref().map_err(Clone::clone)?;
        let (kept, game) = OpenSave::open(store, name).map_err(|trouble| trouble.to_string())?;
        self.release();
        self.kept = Some(Open {
            kept,
            named: !is_slot(name),
            follows: true,
        });
        Ok(game)
    }

    /// Opens the game that was played last and is not over. Also says which newer one could not be read.
    pub fn open_latest(&mut self) -> Result<(Game, Option<String>), String> {
        let (name, passed_over) = self.store()?.latest()?;
        Ok((self.open(&name)?, passed_over))
    }

    /// The folder, for somebody who wants to look into it.
    pub fn store(&self) -> Result<Store<D>, String> {
        self.store.clone()
    }

    /// Lets go of the save, as PGN. Says what is in the way of that.
    pub fn release(&mut self) -> Option<Remark> {
        self.trouble = None;
        let mut open = self.kept.take()?;
        match open.kept.settle() {
            Err(trouble) => Some(Remark::Trouble(format!("The game is not kept: {trouble}"))),
            Ok(()) => {
                let surprises = open.kept.take_surprises();
                sentences(&surprises).map(Remark::News)
            }
        }
    }

    /// What a list shows of a save; nothing if there is no such save, or no longer.
    pub fn peek(&self, name: &SaveName) -> Option<Result<Summary, String>> {
        let peeked = match &self.store {
            Ok(store) => store.peek(name),
            Err(sentence) => return Some(Err(sentence.clone())),
        };
        match peeked {
            Err(SaveError::Missing(_)) => None,
            peeked => Some(peeked.map_err(|trouble| trouble.to_string())),
        }
    }

    /// Whether there is anything to be deleted, or why not.
    pub fn can_delete(&self, name: &SaveName) -> Result<(), String> {
        if self.name() == Some(name) {
            return Err(format!(
                "'{name}' is the game that is being played, so it is not deleted."
            ));
        }
        let store = self.store.as_ref().map_err(Clone::clone)?;
        match store.has(name) {
            Ok(true) => Ok(()),
            Ok(false) => Err(SaveError::Missing(name.clone()).to_string()),
            Err(trouble) => Err(trouble.to_string()),
        }
    }

    /// Moves a save into the trash, and says where it is.
    pub fn delete(&mut self, name: &SaveName) -> Result<String, String> {
        self.can_delete(name)?;
        let store = self.store.as_ref().map_err(Clone::clone)?;
        let put = store.delete(name).map_err(|trouble| trouble.to_string())?;
        Ok(format!("'{name}' is in the trash now: {}", put.display()))
    }
}

/// What the user is told of what others did, if they did anything.
fn sentences(surprises: &[Surprise]) -> Option<String> {
    let sentences: Vec<String> = surprises.iter().map(sentence).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

fn sentence(surprise: &Surprise) -> String {
    match surprise {
        Surprise::Removed(folder) => format!(
            "Somebody removed or renamed the files of this game; they were made again in {}.",
            folder.display()
        ),
        Surprise::Changed(copy) => format!(
            "Somebody else changed the file of this game; what it said is in {}.",
            copy.display()
        ),
    }
}

/// Whether a save has a name that nobody has chosen, as [`now`] and [`free_slot`] make them.
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

/// A save of a name that nobody has chosen: the time, and a number where two games begin in one second.
fn free_slot<D: Disk + Clone>(store: &Store<D>, name: &str) -> Result<OpenSave<D>, SaveError> {
    let mut number = 1;
    loop {
        let name = match number {
            1 => name.to_owned(),
            number => format!("{name}-{number}"),
        };
        // Such a name is made of letters, digits and dashes.
        let slot = SaveName::new(&name).map_err(|error| SaveError::File {
            path: store.saves(),
            why: error.to_string(),
        })?;
        match OpenSave::create(store, &slot) {
            Err(SaveError::Taken(_) | SaveError::Busy(_)) if number < 1000 => number += 1,
            kept => return kept,
        }
    }
}
