//! Matches for all fronts: what to play, the file of the games, and the text about the score.

mod archive;
mod report;

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use tabiya_game::Record;
use tabiya_play::contest::{
    Adjudication, ByEntrant, Openings, OpeningsError, Plan, ThinkingLimit, read_openings,
};
use tabiya_play::engines::KnownEngines;
use tabiya_play::players::{EngineSpec, PlayerConfig, PlayerSpec, ResolveError};
use tabiya_play::threads::NoThread;
use tabiya_store::disk::{self, FileFault};
use tabiya_store::{local_time, paths};
use tabiya_uci::Overrun;
use thiserror::Error;

use crate::book_file::{self, BookFileError};
use crate::failure::Failure;
use crate::flags::random;
pub use archive::Archive;
pub use report::{Final, Report, elo, elo_figures, letter};

/// The default time control.
pub const DEFAULT_CLOCK: &str = "5s+0.05s";
/// The default length of an opening in plies.
const OPENING_PLIES: usize = 16;
/// The largest file of openings, in bytes.
const MAX_OPENINGS_SIZE: u64 = 1 << 28;

/// A match that the user asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchOrder {
    pub players: ByEntrant<PlayerSpec>,
    pub games: u32,
    pub limit: ThinkingLimit,
    /// A file of openings; random ones without it.
    pub openings: Option<PathBuf>,
}

/// A file to export the match to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    pub path: PathBuf,
    pub form: ExportForm,
    /// The games that are not in the file of the match, with their numbers.
    pub rest: Vec<(u32, Record)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExportForm {
    Pgn,
    /// An object with the score, to which the games are added.
    Json(Box<MatchSummary>),
}

/// The score of a watched match, which begins its JSON file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MatchSummary {
    pub a: String,
    pub b: String,
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    /// A's wins, draws and losses with White.
    pub as_white: [u32; 3],
    pub as_black: [u32; 3],
}

/// How the runtime paces a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pacing {
    pub paused: bool,
    /// Whether one more move may be played while it is paused.
    pub step: bool,
    pub delay: Duration,
}

/// The plan of a match, with the engines known by name.
pub fn plan(order: MatchOrder, engines: &KnownEngines) -> Result<Plan, MatchError> {
    let player_config =
        |player: &PlayerSpec| PlayerConfig::of(player, engines)?.ok_or(MatchError::Person);
    let file = order.openings.as_deref().map(paths::from_home);
    let openings = match &file {
        None => Openings::Random,
        // A pipe might never end, and the screen would freeze meanwhile.
        Some(path) if path.exists() && !path.is_file() => {
            return Err(OpeningsFileError::File(paths::clean(path), FileFault::NotPlain).into());
        }
        Some(path) => openings(path, OPENING_PLIES)?,
    };
    let players = &order.players;
    Ok(Plan {
        configs: ByEntrant::new(player_config(&players.a)?, player_config(&players.b)?),
        names: names(ByEntrant::new(&players.a, &players.b)),
        date: local_time::pgn_date(),
        games: order.games,
        limit: order.limit,
        openings,
        adjudication: Adjudication::default(),
        sprt: None,
        concurrency: default_concurrency(),
        seed: random(None).next_u64(),
    })
}

/// How many games are played concurrently: each player has its own core, and a screen shows few boards.
fn default_concurrency() -> NonZeroUsize {
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    NonZeroUsize::new((cores / 2).min(4)).unwrap_or(NonZeroUsize::MIN)
}

/// The openings of a file, limited to this many plies: a Polyglot book if its name ends in `.bin`.
pub fn openings(path: &Path, plies: usize) -> Result<Openings, OpeningsFileError> {
    if path
        .extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("bin"))
    {
        let book = book_file::open_for_openings(path)?;
        return Ok(Openings::Book { book, plies });
    }
    let bytes = read(path);
    let bytes =
        bytes.map_err(|error| OpeningsFileError::File(paths::clean(path), disk::why(&error)))?;
    let list = read_openings(&bytes, plies);
    let list = list.map_err(|error| OpeningsFileError::Content(paths::clean(path), error))?;
    Ok(Openings::Listed(list))
}

/// Why a file of openings cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpeningsFileError {
    #[error("{0}: {1}")]
    File(String, FileFault),
    #[error("{0}: {1}")]
    Content(String, OpeningsError),
    #[error(transparent)]
    Book(#[from] BookFileError),
}

impl From<OpeningsFileError> for Failure {
    fn from(error: OpeningsFileError) -> Failure {
        match error {
            OpeningsFileError::File(..) => Failure::Unusable(error.to_string()),
            OpeningsFileError::Content(..) => Failure::No(error.to_string()),
            OpeningsFileError::Book(error) => error.into(),
        }
    }
}

/// Why a match cannot start.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MatchError {
    #[error(transparent)]
    Unresolved(#[from] ResolveError),
    #[error("Only bots and engines can play a match.")]
    Person,
    #[error("{0}.")]
    Openings(#[from] OpeningsFileError),
    #[error(transparent)]
    NoThread(#[from] NoThread),
}

/// The message about a player that exceeded its limits.
pub fn overran(name: &str, overrun: Overrun) -> String {
    format!("{name}: {overrun} Its moves count.")
}

/// Reads a file of openings, which may not be too large.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?
        .take(MAX_OPENINGS_SIZE + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_OPENINGS_SIZE {
        return Err(io::Error::other("the file is too large for openings"));
    }
    Ok(bytes)
}

/// The names of the players. Two of the same kind get letters.
fn names(players: ByEntrant<&PlayerSpec>) -> ByEntrant<String> {
    let (a, b) = (name(players.a), name(players.b));
    if a == b {
        ByEntrant::new(format!("{a} A"), format!("{b} B"))
    } else {
        ByEntrant::new(a, b)
    }
}

fn name(player: &PlayerSpec) -> String {
    match player {
        PlayerSpec::Human | PlayerSpec::Bot(_) | PlayerSpec::Remote(_) => {
            player.name().unwrap_or_else(|| player.to_string())
        }
        PlayerSpec::Uci(engine) | PlayerSpec::Named(engine) => engine_name(engine),
    }
}

/// The last part of a path distinguishes programs; options belong to the name.
fn engine_name(engine: &EngineSpec) -> String {
    let path = Path::new(&engine.target);
    let file = path.file_name().map(|name| name.to_string_lossy());
    let name = file.map_or_else(|| engine.target.clone(), Cow::into_owned);
    let options = engine.options.iter().map(|option| match &option.value {
        Some(value) => format!("{} {value}", option.name),
        None => option.name.clone(),
    });
    match &*options.collect::<Vec<_>>().join(", ") {
        "" => name,
        options => format!("{name} ({options})"),
    }
}

#[cfg(test)]
mod tests;
