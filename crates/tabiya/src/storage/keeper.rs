//! The game that is played, as far as keeping is concerned: which save it has, and what is said about it.

use super::disk::{Computer, Disk};
use super::format::Game;
use super::kept::Kept;
use super::name::SaveName;
use super::store::{Store, Summary, Trouble};
use crate::folders::Folders;

/// Something to be said about keeping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Remark {
    News(String),
    Trouble(String),
}

/// Whether games that were never saved by a name are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Autosave {
    On,
    Off,
}

impl From<bool> for Autosave {
    fn from(on: bool) -> Autosave {
        if on { Autosave::On } else { Autosave::Off }
    }
}

/// Keeps the game that is played.
#[derive(Debug)]
pub(crate) struct Keeper<D: Disk = Computer> {
    /// The folder, or why there is none.
    store: Result<Store<D>, String>,
    kept: Option<Open<D>>,
    autosave: Autosave,
    /// What was said last about a disk that does not do as it should.
    trouble: Option<String>,
    now: fn() -> Now,
}

#[derive(Debug)]
struct Open<D: Disk> {
    kept: Kept<D>,
    /// Whether the user has given it its name.
    named: bool,
    /// Whether every change is brought to it, and not only what the user saves.
    follows: bool,
}

/// The time on the user's clock.
#[derive(Clone, Debug)]
pub(crate) struct Now {
    /// As PGN writes it: `2026.11.15`.
    pub(crate) date: String,
    /// The name of a game that begins now: `game-2026-11-15-204502`.
    pub(crate) name: String,
}

/// The time on the user's clock now.
fn now() -> Now {
    let now = jiff::Zoned::now();
    Now {
        date: now.strftime("%Y.%m.%d").to_string(),
        name: now.strftime("game-%Y-%m-%d-%H%M%S").to_string(),
    }
}

impl Keeper<Computer> {
    /// Keeps games in the folder of the user.
    pub(crate) fn new(autosave: Autosave) -> Keeper<Computer> {
        let store = Folders::find().map(|folders| Store::new(Computer, folders.data()));
        Keeper::with(store, autosave, now)
    }
}

impl<D: Disk + Clone> Keeper<D> {
    /// The same in any folder.
    pub(super) fn with(
        store: Result<Store<D>, String>,
        autosave: Autosave,
        now: fn() -> Now,
    ) -> Keeper<D> {
        Keeper {
            store,
            kept: None,
            autosave,
            trouble: None,
            now,
        }
    }

    pub(crate) fn set_autosave(&mut self, autosave: Autosave) {
        self.autosave = autosave;
    }

    /// Whether changes of the game are brought to the disk now.
    pub(crate) fn follows(&self) -> bool {
        match &self.kept {
            Some(open) => open.follows,
            None => self.autosave == Autosave::On,
        }
    }

    /// The name of the save that the game has.
    pub(crate) fn name(&self) -> Option<&SaveName> {
        self.kept.as_ref().map(|open| open.kept.name())
    }

    /// Brings the game to the disk, if it is one that is kept. Says something only when that changes: the first time
    /// it fails, and when it works again.
    pub(crate) fn keep(&mut self, game: &Game) -> Option<Remark> {
        // A game in which nothing was played yet has nothing to lose.
        let is_new = self.kept.is_none() && game.session.record().is_empty();
        if is_new || !self.follows() {
            return None;
        }
        match (self.write(game), self.trouble.take()) {
            (Ok(()), None) => None,
            (Ok(()), Some(_)) => Some(Remark::News("The game is kept again.".to_owned())),
            (Err(why), known) => {
                let same = known.as_ref() == Some(&why);
                self.trouble = Some(why.clone());
                let sentence = format!("The game is not kept: {why} It goes on all the same.");
                (!same).then_some(Remark::Trouble(sentence))
            }
        }
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
    pub(crate) fn save_as(&mut self, name: Option<&str>, game: &Game) -> Result<String, String> {
        let name = match (name, &self.kept) {
            (Some(name), _) => SaveName::new(name).map_err(|error| error.to_string())?,
            (None, Some(open)) if open.named => open.kept.name().clone(),
            (None, _) => return Err("The game has no name yet: save NAME.".to_owned()),
        };
        let date = (self.now)().date;
        if self.name() == Some(&name)
            && let Some(open) = &mut self.kept
        {
            open.named = true;
            let kept = &mut open.kept;
            let written = kept.write(game, &date).and_then(|()| kept.settle());
            written.map_err(|trouble| trouble.to_string())?;
            return Ok(format!("Saved as {name}."));
        }
        let store = self.store.as_ref().map_err(Clone::clone)?;
        let saved = || -> Result<Kept<D>, Trouble> {
            let mut kept = Kept::create(store, &name)?;
            kept.write(game, &date)?;
            kept.settle()?;
            Ok(kept)
        };
        let kept = saved().map_err(|trouble| trouble.to_string())?;
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

    /// Opens a save, to be kept from now on. Whatever was kept before is let go of.
    pub(crate) fn open(&mut self, name: &str) -> Result<Game, String> {
        let name = SaveName::new(name).map_err(|error| error.to_string())?;
        if let Some(open) = &self.kept
            && *open.kept.name() == name
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
        let (kept, game) = Kept::open(store, &name).map_err(|trouble| trouble.to_string())?;
        self.release();
        self.kept = Some(Open {
            kept,
            named: true,
            follows: true,
        });
        Ok(game)
    }

    /// Opens the game that was played last and is not over.
    pub(crate) fn open_latest(&mut self) -> Result<Game, String> {
        let name = self.store()?.latest()?;
        self.open(name.as_str())
    }

    /// The folder, for somebody who wants to look into it.
    pub(crate) fn store(&self) -> Result<Store<D>, String> {
        self.store.clone()
    }

    /// Lets go of the save, as PGN. Says what is in the way of that.
    pub(crate) fn release(&mut self) -> Option<Remark> {
        let mut open = self.kept.take()?;
        let settled = open.kept.settle();
        self.trouble = None;
        let trouble = settled.err()?;
        Some(Remark::Trouble(format!("The game is not kept: {trouble}")))
    }

    /// What a list shows of a save.
    pub(crate) fn peek(&self, name: &SaveName) -> Result<Summary, String> {
        let store = self.store.as_ref().map_err(Clone::clone)?;
        store.peek(name).map_err(|trouble| trouble.to_string())
    }

    /// Moves a save into the trash, and says where it is.
    pub(crate) fn delete(&mut self, name: &SaveName) -> Result<String, String> {
        if self.name() == Some(name) {
            return Err(format!(
                "'{name}' is the game that is being played, so it is not deleted."
            ));
        }
        let store = self.store.as_ref().map_err(Clone::clone)?;
        let put = store.delete(name).map_err(|trouble| trouble.to_string())?;
        Ok(format!("'{name}' is in the trash now: {}", put.display()))
    }
}

/// A save of a name that nobody has chosen: the time, and a number where two games begin in one second.
fn free_slot<D: Disk + Clone>(store: &Store<D>, name: &str) -> Result<Kept<D>, Trouble> {
    let mut number = 1;
    loop {
        let name = match number {
            1 => name.to_owned(),
            number => format!("{name}-{number}"),
        };
        // Such a name is made of letters, digits and dashes.
        let slot = SaveName::new(&name).map_err(|error| Trouble::File {
            path: store.saves(),
            why: error.to_string(),
        })?;
        match Kept::create(store, &slot) {
            Err(Trouble::Taken(_) | Trouble::Busy(_)) if number < 1000 => number += 1,
            kept => return kept,
        }
    }
}
