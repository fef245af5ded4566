//! Queries of databases about what was played, for all fronts.
//!
//! An [`Explorer`] knows which games are meant from one query to the next. With the position that a front shows, these
//! are an [`ExplorerQuery`], which a [`Library`] answers; in play in another thread, so that neither a slow disk nor a
//! large database holds up a game.

mod filter;
mod library;
mod own;

use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;
use tabiya_db::{Answer, DbError, Effort};
use tabiya_game::{Node, Step};
use tabiya_openings::Opening;
use tabiya_rules::{Move, Position};
use tabiya_store::SaveError;
use tabiya_store::paths::NoHomeFolder;
use thiserror::Error;

pub use filter::{FilterError, GameFilter};
pub use library::{Library, record_of};

/// A set of games to query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameSource {
    /// The database in a folder.
    Folder(PathBuf),
    /// The finished saved games. The name is the player's name in them; empty for none.
    Own { name: String },
}

/// The databases of the settings and flags.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameSources {
    pub folder: Option<PathBuf>,
    /// The player's name, if the saved games are a database too.
    pub own: Option<String>,
}

/// One of the databases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabaseKind {
    Games,
    Own,
}

impl GameSources {
    /// Whether there is a database at all.
    pub fn is_any(&self) -> bool {
        self.folder.is_some() || self.own.is_some()
    }

    /// The database to use if none is named: that of games, or else the player's own.
    pub fn kind_or_default(&self, named: Option<DatabaseKind>) -> DatabaseKind {
        named.unwrap_or(match (&self.folder, &self.own) {
            (None, Some(_)) => DatabaseKind::Own,
            _ => DatabaseKind::Games,
        })
    }

    fn find(&self, which: DatabaseKind) -> Result<GameSource, ExplorerError> {
        match which {
            DatabaseKind::Games => {
                let folder = self.folder.clone().ok_or(ExplorerError::NoDatabase)?;
                Ok(GameSource::Folder(folder))
            }
            DatabaseKind::Own => {
                let name = self.own.clone().ok_or(ExplorerError::OwnIsOff)?;
                Ok(GameSource::Own { name })
            }
        }
    }
}

/// A command for the explorer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExplorerCommand {
    /// Show it. Whatever is not given stays as it was.
    Show {
        which: Option<DatabaseKind>,
        filter: Option<GameFilter>,
    },
    /// Hide it.
    Off,
}

/// Which games are meant, from one query to the next.
#[derive(Debug, Default)]
pub struct Explorer {
    which: Option<DatabaseKind>,
    filter: GameFilter,
}

impl Explorer {
    /// The database that is meant.
    pub fn which(&self, sources: &GameSources) -> DatabaseKind {
        sources.kind_or_default(self.which)
    }

    /// The filter as it was typed; empty for none.
    pub fn typed(&self) -> &str {
        &self.filter.text
    }

    /// Changes which games are meant. What is refused changes nothing.
    pub fn turn_to(
        &mut self,
        which: Option<DatabaseKind>,
        filter: Option<GameFilter>,
        sources: &GameSources,
    ) -> Result<Selection, ExplorerError> {
        let next = Explorer {
            which: which.or(self.which),
            filter: filter.unwrap_or_else(|| self.filter.clone()),
        };
        let selection = next.selection(sources)?;
        *self = next;
        Ok(selection)
    }

    /// The games that are meant.
    pub fn selection(&self, sources: &GameSources) -> Result<Selection, ExplorerError> {
        let source = sources.find(self.which(sources))?;
        Ok(Selection::new(source, self.filter.clone())?)
    }
}

/// Games that a database can count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    source: GameSource,
    filter: GameFilter,
}

impl Selection {
    /// The games of a database that pass a filter. A side needs a name, except in the player's own games.
    pub fn new(source: GameSource, filter: GameFilter) -> Result<Selection, FilterError> {
        match (&filter.player, filter.color, &source) {
            (None, Some(_), GameSource::Folder(_)) => Err(FilterError::NobodysSide),
            (None, None, _) if !filter.facts.is_banded() => Err(FilterError::Band),
            // Where a player is wanted, or a side of one's own, every game is looked at.
            _ => Ok(Selection { source, filter }),
        }
    }

    pub fn source(&self) -> &GameSource {
        &self.source
    }

    pub fn filter(&self) -> &GameFilter {
        &self.filter
    }
}

/// A query of what was played in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplorerQuery {
    pub selection: Selection,
    /// The positions and moves that lead to it.
    pub path: Vec<(Position, Move)>,
    pub position: Position,
    /// The number of games wanted.
    pub games: usize,
    /// How hard to look in a large database.
    pub effort: Effort,
}

impl ExplorerQuery {
    /// The query for a position of a game.
    pub fn at(selection: Selection, node: Node<'_>, games: usize, effort: Effort) -> ExplorerQuery {
        let mut path = Vec::new();
        let mut here = node;
        // No game continues through a null move.
        while let Some(before) = here.parent()
            && let Some(Step::Move(m)) = here.step()
        {
            path.push((*before.position(), m));
            here = before;
        }
        path.reverse();
        ExplorerQuery {
            selection,
            path,
            position: *node.position(),
            games,
            effort,
        }
    }
}

/// The answer of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub position: Position,
    /// The filter that the games have passed.
    pub filter: GameFilter,
    /// The name of the last position on the way that has one.
    pub opening: Option<Opening<'static>>,
    pub answer: Answer,
    /// The player's results, if the games are the player's own.
    pub mine: Option<OwnResults>,
}

/// The results of the player's own games, with either color.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OwnResults {
    pub won: u64,
    pub drawn: u64,
    pub lost: u64,
}

impl OwnResults {
    pub fn games(&self) -> u64 {
        self.won + self.drawn + self.lost
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, Error)]
pub enum ExplorerError {
    #[error(
        "There is no database: build one with `tabiya db build`, and name it with `tabiya play --db DIR` or the \
         setting db.path in config.toml."
    )]
    NoDatabase,
    #[error(
        "Your saved games are not a database yet: turn on the setting db.own, on the full screen or in config.toml."
    )]
    OwnIsOff,
    #[error("{0}.")]
    Db(Arc<DbError>),
    #[error(transparent)]
    Save(#[from] SaveError),
    #[error(transparent)]
    NoHomeFolder(#[from] NoHomeFolder),
    #[error(transparent)]
    Filter(#[from] FilterError),
    #[error("The game is no longer in the database.")]
    NoGame,
    #[error("The game cannot be read from the database.")]
    Unreadable,
    #[error("The system has no thread left to query the database.")]
    NoThread,
}

impl From<DbError> for ExplorerError {
    fn from(error: DbError) -> ExplorerError {
        ExplorerError::Db(Arc::new(error))
    }
}

#[cfg(test)]
mod tests;
