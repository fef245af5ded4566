//! Looks for exercises in the player's own games: which games there are, and the thread that searches them while the player
//! trains.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use tabiya_game::pgn::RecordReader;
use tabiya_game::{GameResult, Record};
use tabiya_play::threads;
use tabiya_rules::ByColor;
use tabiya_store::paths::Folders;
use tabiya_store::{Autosave, Autosaver, SaveName, Store};
use tabiya_train::item::Item;
use tabiya_train::mine::{Control, Miner, game_digest};
use tabiya_train::rating::Rater;

use super::{Learner, game_files};
use crate::game_file;
use crate::saved::Seats;

/// When games are searched in the background.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MiningPolicy {
    /// Unless the machine runs on its battery.
    #[default]
    Mains,
    Always,
    Never,
}

/// What the search reports.
#[derive(Clone, Debug)]
pub enum MiningEvent {
    /// So many of the player's games are done, out of how many, and whether the search waits until the machine is plugged in.
    Progress { done: usize, of: usize, waits: bool },
    /// A game is done.
    Mined { game: u64, items: Vec<Item> },
    /// All games are done.
    Ended,
}

/// A game of the player.
#[derive(Clone, Debug)]
pub struct OwnGame {
    /// What tells it from other games.
    pub digest: u64,
    date: String,
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    Save(SaveName),
    /// A game of a file, by its offset and its number.
    File(PathBuf, u64, usize),
}

/// A game that was read, a name of where it is, and the sides of the player.
pub type ReadGame = (Record, String, ByColor<bool>);

impl OwnGame {
    /// Reads the game; `None` if it is no longer the same.
    #[must_use]
    pub fn read(&self, names: &[String]) -> Option<ReadGame> {
        let read = match &self.source {
            Source::Save(name) => {
                let game = Autosaver::new(Autosave::Off).look(name).ok()?;
                let sides = Seats::of_game(&game).sides_of(names);
                let record = game.session.record().clone();
                (record, format!("saves/{name}.pgn"), sides)
            }
            Source::File(path, offset, number) => {
                let record = game_file::open_at(path, *offset).ok()?.record;
                let file = path.file_name()?.to_string_lossy();
                let sides = sides_elsewhere(&record, names);
                (record, format!("train/games/{file}#{number}"), sides)
            }
        };
        (game_digest(&read.0) == self.digest).then_some(read)
    }
}

/// The sides of the player in a game that was played elsewhere.
#[must_use]
pub fn sides_elsewhere(record: &Record, names: &[String]) -> ByColor<bool> {
    Seats::elsewhere(record).sides_of(names)
}

/// The player's games that are over, the newest first: the saves and the imported ones. What cannot be read is left out.
#[must_use]
pub fn own_games(names: &[String], control: &Control) -> Vec<OwnGame> {
    let mut games = Vec::new();
    let mut add = |record: &Record, sides: ByColor<bool>, source| {
        if sides.white || sides.black {
            let tag = |name| record.tags().get(name).unwrap_or_default();
            let (date, time) = (tag("Date"), tag("UTCTime"));
            games.push(OwnGame {
                digest: game_digest(record),
                date: format!("{date} {time}"),
                source,
            });
        }
    };
    let saves = Autosaver::new(Autosave::Off);
    for save in saves.store().and_then(Store::list).unwrap_or_default() {
        if control.should_stop() {
            return games;
        }
        if let Ok(game) = saves.look(&save.name) {
            // What the session has decided counts here, not only what the file says.
            if game.session.publish().result() != GameResult::Unknown {
                let sides = Seats::of_game(&game).sides_of(names);
                add(game.session.record(), sides, Source::Save(save.name));
            }
        }
    }
    let files = Folders::find().map(|folders| game_files(&folders));
    for path in files.iter().flatten().flatten() {
        let Ok(file) = std::fs::File::open(path) else {
            continue;
        };
        let read = RecordReader::from_read(file).map_while(Result::ok);
        for (number, game) in (1..).zip(read) {
            if control.should_stop() {
                return games;
            }
            let sides = sides_elsewhere(&game.record, names);
            let source = Source::File(path.clone(), game.offset, number);
            add(&game.record, sides, source);
        }
    }
    let mut seen = HashSet::new();
    games.retain(|game| seen.insert(game.digest));
    games.sort_by(|one, other| other.date.cmp(&one.date));
    games
}

/// A search in the background. It is stopped when this is dropped.
#[derive(Debug)]
pub struct Mining(Arc<Control>);

impl Mining {
    /// Starts to search the player's games, the newest first, except those that were. The listener returns whether anyone
    /// still listens. There is no search if the player wants none, or the system has no thread for it.
    pub fn start(
        learner: &Learner,
        scanned: HashSet<u64>,
        listener: impl Fn(MiningEvent) -> bool + Send + 'static,
    ) -> Option<Mining> {
        let policy = learner.mining;
        if policy == MiningPolicy::Never {
            return None;
        }
        let control = Arc::new(Control::new());
        let (names, watched) = (learner.names.clone(), Arc::clone(&control));
        let spawned = threads::spawn(move || {
            lower_priority();
            if search(&names, policy, &scanned, &watched, &listener).is_some() {
                // Nobody receives it if the program is about to exit.
                listener(MiningEvent::Ended);
            }
        });
        spawned.ok().map(|_| Mining(control))
    }
}

impl Drop for Mining {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Searches the games; `None` if it was stopped.
fn search(
    names: &[String],
    policy: MiningPolicy,
    scanned: &HashSet<u64>,
    control: &Control,
    listener: &impl Fn(MiningEvent) -> bool,
) -> Option<()> {
    let games = own_games(names, control);
    let of = games.len();
    let is_known = |game: &OwnGame| scanned.contains(&game.digest);
    let (known, left): (Vec<OwnGame>, Vec<OwnGame>) = games.into_iter().partition(is_known);
    let (mut miner, mut rater): (Option<Miner>, Option<Rater>) = (None, None);
    for (done, game) in (known.len()..).zip(left) {
        loop {
            let waits = policy == MiningPolicy::Mains && is_on_battery(Path::new(POWER_SUPPLIES));
            if control.should_stop() || !listener(MiningEvent::Progress { done, of, waits }) {
                return None;
            }
            if !waits {
                break;
            }
            sleep(POWER_POLL);
        }
        let Some((record, from, sides)) = game.read(names) else {
            continue;
        };
        let miner = miner.get_or_insert_default();
        let mined = miner.mine(&record, &from, sides, control);
        let (game, mut items) = (game.digest, mined.ok()?.into_items().collect::<Vec<Item>>());
        // They may be asked at once.
        let rater = rater.get_or_insert_default();
        items.iter_mut().for_each(|item| rater.complete(item));
        if !listener(MiningEvent::Mined { game, items }) {
            return None;
        }
    }
    (!control.should_stop()).then_some(())
}

/// Where Linux says what powers the machine. Elsewhere there is no such folder, and nothing is known of a battery.
const POWER_SUPPLIES: &str = "/sys/class/power_supply";

/// How often a search that waits for power looks again.
const POWER_POLL: Duration = Duration::from_secs(5);

/// Whether a battery of the machine is being discharged. Those of a mouse or keyboard do not count.
fn is_on_battery(supplies: &Path) -> bool {
    let supplies = std::fs::read_dir(supplies).into_iter().flatten().flatten();
    let discharges = |supply: &Path| {
        let says = |file: &str, value: &str| {
            let text = std::fs::read_to_string(supply.join(file));
            text.is_ok_and(|text| text.trim() == value)
        };
        says("type", "Battery") && says("status", "Discharging") && !says("scope", "Device")
    };
    supplies
        .map(|supply| supply.path())
        .any(|supply| discharges(&supply))
}

/// Lets everything else go first. Only Linux can do that for one thread.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    {
        // Where it is not permitted, the search is only less considerate.
        let _ = rustix::process::setpriority_process(None, 19);
    }
}

#[cfg(test)]
mod tests;
