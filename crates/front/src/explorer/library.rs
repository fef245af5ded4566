//! The open databases, and the answers from them.

use std::fs;
use std::iter;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tabiya_db::{Database, DbError, Effort, Game, Player, Query, ResultCounts};
use tabiya_game::Record;
use tabiya_rules::Color;
use tabiya_store::paths;

use super::own::{OwnGames, YOU};
use super::{ExplorerError, ExplorerQuery, Found, GameSource, OwnResults};
use crate::opening_names;
use crate::ranges::Words;

/// In a database with no more games, every game is read whatever the query says: that takes a tenth of a second, and the
/// answer is the same on all fronts.
const FEW_GAMES: u64 = 300_000;

/// Databases that are kept open for queries.
#[derive(Debug, Default)]
pub struct Library {
    /// The open database of a folder, and when that was last written.
    open: Option<((PathBuf, Option<SystemTime>), Database)>,
    own: OwnGames,
}

impl Library {
    /// Answers a query.
    pub fn answer(&mut self, query: &ExplorerQuery) -> Result<Found, ExplorerError> {
        let answered = self.answer_once(query);
        if let Err(ExplorerError::Db(_)) = answered {
            // The database may have been rebuilt meanwhile. A real problem will occur again.
            self.open = None;
            self.own.open = None;
            return self.answer_once(query);
        }
        answered
    }

    /// Reads a game by its number, with its tags.
    pub fn game(&mut self, source: &GameSource, id: u64) -> Result<Record, ExplorerError> {
        let game = self.database(source)?.game(id)?;
        record_of(&game.ok_or(ExplorerError::NoGame)?).ok_or(ExplorerError::Unreadable)
    }

    /// Answers a query from the database as it was last opened.
    fn answer_once(&mut self, query: &ExplorerQuery) -> Result<Found, ExplorerError> {
        let (source, filter) = (query.selection.source(), query.selection.filter());
        let database = self.database(source)?;
        let effort = match database.info().games {
            ..=FEW_GAMES => Effort::EveryGame,
            _ => query.effort,
        };
        let explore = |player: Option<Player<'_>>, games| {
            database.explore(&Query {
                path: &query.path,
                position: query.position,
                filter: filter.facts.clone(),
                player,
                games,
                effort,
            })
        };
        let words = filter.player.as_deref().map(Words::from);
        let is_wanted = |name: &str| match &words {
            Some(words) => words.are_in(name),
            // Without a name, a side means the player's own.
            None => is_you(name),
        };
        let player = (words.is_some() || filter.color.is_some()).then_some(Player {
            is: &is_wanted,
            color: filter.color,
        });
        let answer = explore(player, query.games)?;
        let mine = match source {
            GameSource::Own { .. } => {
                let score = |you: Player<'_>| Ok(explore(Some(you), 0)?.score);
                Some(own_results(filter.color, score)?)
            }
            GameSource::Folder(_) => None,
        };
        let before = query.path.iter().map(|(position, _)| position);
        let mut here_and_before = iter::once(&query.position).chain(before.rev());
        let opening = here_and_before.find_map(|position| opening_names::known().lookup(position));
        Ok(Found {
            position: query.position,
            filter: filter.clone(),
            opening,
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

/// Whether a name in the database of the player's own games is the player's.
fn is_you(name: &str) -> bool {
    name == YOU
}

/// The player's results with this color, or with both; `score_of` queries the games of one color.
fn own_results(
    side: Option<Color>,
    score_of: impl Fn(Player<'_>) -> Result<ResultCounts, DbError>,
) -> Result<OwnResults, DbError> {
    let mut mine = OwnResults::default();
    let is_counted = |color: &Color| side.is_none_or(|side| side == *color);
    for color in Color::ALL.into_iter().filter(is_counted) {
        let score = score_of(Player {
            is: &is_you,
            color: Some(color),
        })?;
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
pub fn record_of(game: &Game) -> Option<Record> {
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
