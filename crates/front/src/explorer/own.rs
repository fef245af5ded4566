//! The player's saved games as a database.
//!
//! It is beside the saves and is built from them: if a game was finished, deleted or renamed since the last query, it
//! is rebuilt, so nothing in it needs to be preserved. Unfinished games are not in it, nor are saved games of other
//! people.

use std::collections::HashMap;
use std::fs;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::path::Path;
use std::time::SystemTime;

use tabiya_db::{BuildOptions, Builder, Collector, Database, DbError, ReadFrom, SourceFile};
use tabiya_game::pgn::{self, Reader, Replay};
use tabiya_game::{GameResult, Record};
use tabiya_rules::Color;
use tabiya_store::disk::FileError;
use tabiya_store::paths::Folders;
use tabiya_store::{Autosave, Autosaver, SaveEntry, SaveName, Summary};

use super::ExplorerError;
use crate::saved::Seats;

/// The player's name in this database.
pub(super) const YOU: &str = "You";

/// The folder of the database, inside that of the saves.
const FOLDER: &str = "own.db";

/// The saved games, as far as they are known.
#[derive(Debug, Default)]
pub(super) struct OwnGames {
    /// When each save was last changed, and who had played it if its game was over then.
    known: HashMap<SaveName, (SystemTime, Option<Seats>)>,
    /// The open database, and the state of the saves that it has.
    pub(super) open: Option<(String, Database)>,
}

impl OwnGames {
    /// The database of the finished games, rebuilt if necessary.
    pub(super) fn database(&mut self, name: &str) -> Result<&Database, ExplorerError> {
        let saves = Autosaver::new(Autosave::Off);
        let finished = self.finished(&saves, name)?;
        let state = state_of(&finished, name);
        let open = match self.open.take() {
            Some(open) if open.0 == state => open,
            _ => {
                let folder = Folders::find()?.data().join(FOLDER);
                let names = finished.iter().map(|save| &save.name);
                let database = match Database::open(&folder) {
                    Ok(known) if known.info().sources == [state.as_str()] => known,
                    Ok(_) | Err(_) => build_database(&folder, &state, &games(&saves, names, name))?,
                };
                (state, database)
            }
        };
        Ok(&self.open.insert(open).1)
    }

    /// The saves of the player's finished games. Only those that have changed are read.
    fn finished(&mut self, saves: &Autosaver, name: &str) -> Result<Vec<SaveEntry>, ExplorerError> {
        let mut listed = saves.store()?.list()?;
        let mut known = HashMap::with_capacity(listed.len());
        listed.retain(|save| {
            let seats = match self.known.remove(&save.name) {
                Some((then, seats)) if then == save.modified => seats,
                _ => saves.peek(&save.name).and_then(|about| {
                    let about = about.ok()?;
                    is_over(&about).then(|| Seats::of(&about))
                }),
            };
            let is_own = seats.as_ref().is_some_and(|seats| seats.has_player(name));
            known.insert(save.name.clone(), (save.modified, seats));
            is_own
        });
        self.known = known;
        Ok(listed)
    }
}

fn is_over(about: &Summary) -> bool {
    about.result != GameResult::Unknown.as_str()
}

/// A name that identifies the games of a database.
fn state_of(finished: &[SaveEntry], name: &str) -> String {
    let saves: Vec<_> = finished
        .iter()
        .map(|save| (&save.name, save.modified))
        .collect();
    let hasher = BuildHasherDefault::<DefaultHasher>::new();
    format!("saves {:016x}", hasher.hash_one((saves, name)))
}

/// The games as PGN. One that can no longer be read is left out.
fn games<'a>(saves: &Autosaver, names: impl Iterator<Item = &'a SaveName>, player: &str) -> String {
    let mut text = String::new();
    for name in names {
        if let (Some(Ok(about)), Ok(game)) = (saves.peek(name), saves.look(name)) {
            let mut record = game.session.publish();
            call_player(&mut record, &about, player);
            text.push_str(&pgn::to_string(&record, pgn::Format::Export));
            text.push('\n');
        }
    }
    text
}

/// Writes the player's name to the player's side: the person who plays against an engine, or the side with that name.
fn call_player(record: &mut Record, about: &Summary, player: &str) {
    let seats = Seats::of(about);
    for color in Color::ALL {
        if seats.is_player(color, player) {
            // The name is a single word, which PGN can hold.
            let _ = record.tags_mut().set(color.name(), YOU);
        }
    }
}

/// Builds the database in place of the existing one.
fn build_database(folder: &Path, state: &str, games: &str) -> Result<Database, ExplorerError> {
    let new = folder.with_extension("new");
    let mut options = BuildOptions::default();
    options.full = true;
    options.memory = 64 << 20;
    options.restart = true;
    remove(&new)?;
    let mut builder = Builder::create(&new, vec![SourceFile::pipe(state)], options)?;
    let collector = Collector::new(builder.scope(), state, ReadFrom::Beginning);
    let mut replay = Replay::new(collector);
    let mut reader = Reader::new(games.as_bytes());
    // Reading from memory does not fail.
    while let Ok(Some(())) = reader.read_game(&mut replay) {
        let collector = replay.visitor_mut();
        if collector.is_large() {
            builder.add(collector.take())?;
        }
    }
    builder.add(replay.visitor_mut().take())?;
    builder.finish(&|_, _| {})?;
    remove(folder)?;
    fs::rename(&new, folder).map_err(|error| unusable(folder, &error))?;
    Ok(Database::open(folder)?)
}

/// Removes a database that can be rebuilt at any time.
fn remove(folder: &Path) -> Result<(), DbError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(unusable(folder, &error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

fn unusable(folder: &Path, error: &std::io::Error) -> DbError {
    DbError::File(FileError::new(folder, error))
}
