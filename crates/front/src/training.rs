//! The player's training: where its record is, and the mistakes of the saved and the imported games.

pub mod mining;

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use tabiya_game::pgn;
use tabiya_rules::SplitMix64;
use tabiya_rules::text::clean;
use tabiya_store::disk::{Disk, FileError, SystemDisk};
use tabiya_store::paths::{self, Folders, NoHomeFolder};
use tabiya_store::{Autosave, Autosaver, Store, local_time};
use tabiya_train::day::Moment;
use tabiya_train::item::Item;
use tabiya_train::log::{Change, Entry};
use tabiya_train::own;
use tabiya_train::rating::Rater;
use tabiya_train::record::{self, Notice, Place, Record, RecordError};
use tabiya_train::trainer::{Options, Trainer};
use thiserror::Error;

use crate::ranges::counted;
use crate::saved::Seats;
use mining::MiningPolicy;

/// Where systems have a number or a name of the machine.
const MACHINE_FILES: [&str; 4] = [
    "/etc/machine-id",
    "/var/lib/dbus/machine-id",
    "/etc/hostid",
    "/etc/hostname",
];

/// How an evaluation begins in a file of games.
const JUDGED: &[u8] = b"[%eval";

/// The largest file of games that is read, and that an import writes.
pub const MAX_GAMES_FILE: u64 = 1 << 28;

/// Why there is no training.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TrainingError {
    #[error(transparent)]
    NoHomeFolder(#[from] NoHomeFolder),
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// The training of the player: a session, and the record that it is stored in.
#[derive(Debug)]
pub struct Training {
    pub trainer: Trainer,
    pub record: Record<SystemDisk>,
    /// What the player should know, in sentences.
    pub notices: Vec<String>,
}

/// Who trains.
#[derive(Clone, Debug, PartialEq)]
pub struct Learner {
    /// All names under which the player plays.
    pub names: Vec<String>,
    /// The probability of recall at which an exercise is due.
    pub retention: f64,
    /// When games are searched for exercises.
    pub mining: MiningPolicy,
}

/// Opens the record, and adds the mistakes of the player's judged games.
pub fn open(
    options: Options,
    learner: &Learner,
    mut random: SplitMix64,
) -> Result<Training, TrainingError> {
    let options = learner.with(options);
    let now = now();
    let (seed, of_trainer) = (random.next_u64(), random.next_u64());
    let (mut record, contents) = Record::open(SystemDisk, &place()?, seed, now)?;
    let mut trainer = Trainer::new(contents.memory, record.last(), of_trainer, options);
    let mut notices: Vec<String> = contents.notices.iter().map(sentence).collect();
    let items = own_mistakes(&learner.names, &mut notices);
    let mut entries = trainer.add(items, now);
    rate_todays(&mut trainer, &mut entries, now);
    record.append(&entries)?;
    Ok(Training {
        trainer,
        record,
        notices,
    })
}

/// Gives the exercises of the day their ratings; the others can wait for their day. They are stored with what is to be stored
/// anyway.
fn rate_todays(trainer: &mut Trainer, entries: &mut Vec<Entry>, now: Moment) {
    let mut unrated = trainer.unrated(now);
    if unrated.is_empty() {
        return;
    }
    let mut rater = Rater::new();
    unrated.iter_mut().for_each(|item| rater.complete(item));
    for entry in trainer.add(unrated, now) {
        let same = entries.iter_mut().find(|there| {
            matches!((&there.change, &entry.change), (Change::Item(a), Change::Item(b)) if a.id == b.id)
        });
        match same {
            Some(there) => there.change = entry.change,
            None => entries.push(entry),
        }
    }
}

/// Reads the record as it is, with the mistakes of the player's judged games, without changing or locking anything.
pub fn look(learner: &Learner) -> Result<(Trainer, Vec<String>), TrainingError> {
    let contents = record::read(&SystemDisk, &place()?)?;
    let mut trainer = Trainer::new(contents.memory, 0, 0, learner.with(Options::default()));
    let mut notices: Vec<String> = contents.notices.iter().map(sentence).collect();
    let items = own_mistakes(&learner.names, &mut notices);
    trainer.add(items, now());
    Ok((trainer, notices))
}

impl Learner {
    fn with(&self, mut options: Options) -> Options {
        options.retention = self.retention;
        options
    }
}

/// The moment on the player's clock.
#[must_use]
pub fn now() -> Moment {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let ms = since.unwrap_or_default().as_millis();
    let ms = i64::try_from(ms).unwrap_or(i64::MAX);
    let z = local_time::offset_minutes(ms / 1000);
    Moment { ms, z }
}

/// Where the player's record is.
fn place() -> Result<Place, NoHomeFolder> {
    let folders = Folders::find()?;
    Ok(Place {
        data: folders.data().to_owned(),
        state: folders.state().to_owned(),
        machine: machine(),
    })
}

/// What tells this machine from others; empty if the system does not say.
fn machine() -> String {
    let read = |path: &&str| {
        let mut text = String::new();
        let file = File::open(path).ok()?;
        file.take(200).read_to_string(&mut text).ok()?;
        let name: String = text.split_whitespace().collect();
        (!name.is_empty()).then_some(name)
    };
    let named = MACHINE_FILES.iter().find_map(read);
    let named = named.or_else(|| std::env::var("COMPUTERNAME").ok());
    named.map_or(String::new(), |name| clean(&name).into_owned())
}

/// The folder with the games that were played elsewhere.
#[must_use]
pub fn games_folder(folders: &Folders) -> PathBuf {
    folders.data().join("train").join("games")
}

/// Whether there are games that were played elsewhere.
#[must_use]
pub fn has_games_elsewhere() -> bool {
    let files = Folders::find()
        .ok()
        .and_then(|folders| game_files(&folders).ok());
    files.is_some_and(|files| !files.is_empty())
}

/// The files with the games that were played elsewhere.
///
/// # Errors
/// The folder cannot be read.
fn game_files(folders: &Folders) -> Result<Vec<PathBuf>, FileError> {
    let folder = games_folder(folders);
    let mut files = match SystemDisk.list(&folder, |name| name.ends_with(".pgn")) {
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        listed => listed.map_err(|error| FileError::new(&folder, &error))?,
    };
    files.sort();
    Ok(files
        .into_iter()
        .map(|(file, _)| folder.join(file))
        .collect())
}

/// The mistakes of the player's judged games. Adds what the player should know about folders that cannot be read; a game
/// that cannot be read has none.
fn own_mistakes(names: &[String], notices: &mut Vec<String>) -> Vec<Item> {
    let saves = Autosaver::new(Autosave::Off);
    let listed = saves.store().and_then(Store::list).unwrap_or_else(|error| {
        notices.push(error.to_string());
        Vec::new()
    });
    let found = listed.iter().flat_map(|save| {
        let game = saves.look(&save.name).ok();
        game.map_or(Vec::new(), |game| {
            let from = format!("saves/{}.pgn", save.name);
            let sides = Seats::of_game(&game).sides_of(names);
            own::mistakes(game.session.record(), &from, sides)
        })
    });
    let mut items: Vec<Item> = found.collect();
    let Ok(folders) = Folders::find() else {
        return items;
    };
    let files = game_files(&folders).unwrap_or_else(|error| {
        notices.push(error.to_string());
        Vec::new()
    });
    for path in files {
        match SystemDisk.read(&path, MAX_GAMES_FILE) {
            Ok(text) => items.extend(mistakes_elsewhere(&path, &text, names)),
            Err(error) => notices.push(FileError::new(&path, &error).to_string()),
        }
    }
    items
}

/// The mistakes of the player's judged games in a file of games that were played elsewhere.
fn mistakes_elsewhere(path: &Path, text: &[u8], names: &[String]) -> Vec<Item> {
    // Without an evaluation no game is judged, and this takes no time to see.
    if !text.windows(JUDGED.len()).any(|part| part == JUDGED) {
        return Vec::new();
    }
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let found = pgn::games(text).enumerate().flat_map(|(index, game)| {
        let from = format!("train/games/{file}#{}", index + 1);
        let sides = mining::sides_elsewhere(&game.record, names);
        own::mistakes(&game.record, &from, sides)
    });
    found.collect()
}

/// A notice about the record as a sentence.
fn sentence(notice: &Notice) -> String {
    match notice {
        Notice::Torn(aside) => format!(
            "The log of the training ended in the middle of an entry, which was set aside as {}.",
            paths::shown(aside)
        ),
        Notice::Unreadable { log, lines, first } => format!(
            "{}: {} cannot be read, the first is line {first}; the rest counts.",
            paths::shown(log),
            counted(*lines as u64, "line", "lines")
        ),
        Notice::LeftOut { log, fault } => {
            format!("{}: {fault}; it is left out.", paths::shown(log))
        }
        Notice::TooMany(count) => format!(
            "There are more exercises than fit: {} left out.",
            counted(*count as u64, "is", "are")
        ),
        _ => String::new(),
    }
}
