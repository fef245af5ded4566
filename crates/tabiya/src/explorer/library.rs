//! The open databases, and the answers from them.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tabiya_db::{Answer, Database, DbError, Effort, Filter as Asked, Game, Player, Query};
use tabiya_game::Record;
use tabiya_rules::Color;
use tabiya_store::paths;

use super::own::{OwnGames, YOU};
use super::{ExplorerError, ExplorerQuery, Found, GameSource, OwnResults};
use crate::ranges::Words;

/// So many games are gone through in a tenth of a second.
const FEW_GAMES: u64 = 300_000;

/// Databases that are kept open for queries.
#[derive(Debug, Default)]
pub(crate) struct Library {
    /// The open database of a folder, and when that was last written.
    open: Option<((PathBuf, Option<SystemTime>), Database)>,
    own: OwnGames,
}

impl Library {
    /// Answers a query.
    pub(crate) fn answer(&mut self, query: &ExplorerQuery) -> Result<Found, ExplorerError> {
        let answered = self.ask(query);
        if let Err(ExplorerError::Db(_)) = answered {
            // It may have been rebuilt meanwhile. A real problem will occur again.
            self.open = None;
            self.own.open = None;
            return self.ask(query);
        }
        answered
    }

    /// Reads a game by its number, with its tags.
    pub(crate) fn game(&mut self, source: &GameSource, id: u64) -> Result<Record, ExplorerError> {
        let game = self.database(source)?.game(id)?;
        record(&game.ok_or(ExplorerError::NoGame)?).ok_or(ExplorerError::Unreadable)
    }

    fn ask(&mut self, query: &ExplorerQuery) -> Result<Found, ExplorerError> {
        let is_own = matches!(query.source, GameSource::Own { .. });
        let (wanted, side) = (&query.filter.player, query.filter.color);
        query.filter.check(is_own)?;
        let database = self.database(&query.source)?;
        // Without a name, a side means the player's own.
        let name = wanted.as_deref().or(side.map(|_| YOU));
        let words = name.map(Words::from);
        let answer = explore(database, query, words.as_ref(), side, query.games)?;
        let mine = is_own.then(|| mine(database, query)).transpose()?;
        Ok(Found {
            position: query.position,
            answer,
            mine,
        })
    }

    fn database(&mut self, source: &GameSource) -> Result<&Database, ExplorerError> {
        match source {
            GameSource::Own { name } => self.own.database(name),
            GameSource::Folder(folder) => Ok(self.folder(&paths::from_home(folder))?),
        }
    }

    /// The database of a folder, reopened if it was rebuilt.
    fn folder(&mut self, folder: &Path) -> Result<&Database, DbError> {
        let written = fs::metadata(folder.join("manifest.json"));
        let written = written.and_then(|about| about.modified()).ok();
        let key = (folder.to_owned(), written);
        let open = match self.open.take() {
            Some(open) if open.0 == key => open,
            _ => (key, Database::open(folder)?),
        };
        Ok(&self.open.insert(open).1)
    }
}

fn explore(
    database: &Database,
    query: &ExplorerQuery,
    words: Option<&Words>,
    color: Option<Color>,
    games: usize,
) -> Result<Answer, ExplorerError> {
    let is = |name: &str| words.is_some_and(|words| words.are_in(name));
    let filter = Asked {
        ratings: query.filter.ratings.clone(),
        years: query.filter.years.clone(),
        speeds: query.filter.speeds.clone(),
    };
    // A few games are soon gone through, and the answer is the same wherever the question is asked.
    let effort = match database.info().games {
        ..=FEW_GAMES => Effort::EveryGame,
        _ => query.effort,
    };
    Ok(database.explore(&Query {
        path: &query.path,
        position: query.position,
        filter,
        player: words.is_some().then_some(Player { is: &is, color }),
        games,
        effort,
    })?)
}

/// The player's results in the queried games.
fn mine(database: &Database, query: &ExplorerQuery) -> Result<OwnResults, ExplorerError> {
    let words = Words::from(YOU);
    let mut mine = OwnResults::default();
    for color in Color::ALL {
        if query.filter.color.is_some_and(|side| side != color) {
            continue;
        }
        let score = explore(database, query, Some(&words), Some(color), 0)?.score;
        let (won, lost) = match color {
            Color::White => (score.white, score.black),
            Color::Black => (score.black, score.white),
        };
        mine.won += won;
        mine.drawn += score.draws;
        mine.lost += lost;
    }
    Ok(mine)
}

/// A game of a database as a record; `None` if its row is damaged.
fn record(game: &Game) -> Option<Record> {
    let mut record = Record::new(game.start()?);
    let elo = |rating: Option<u16>| rating.map(|rating| rating.to_string());
    let (white_elo, black_elo) = (elo(game.white_elo), elo(game.black_elo));
    let tags = [
        ("Event", &game.event),
        ("Site", &game.site),
        ("Date", &game.date),
        ("Round", &game.round),
        ("White", &game.white),
        ("Black", &game.black),
        ("ECO", &game.eco),
        ("TimeControl", &game.time_control),
        ("WhiteElo", &white_elo),
        ("BlackElo", &black_elo),
    ];
    for (name, value) in tags {
        if let Some(value) = value {
            // A value that PGN cannot hold is left out.
            let _ = record.tags_mut().set(name, value);
        }
    }
    record.set_result(game.result);
    let mut here = record.root().id();
    for (_, m) in game.plies() {
        here = record.add(here, m).ok()?;
    }
    Some(record)
}
