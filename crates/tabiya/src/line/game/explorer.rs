//! The explorer in the line mode: a database is queried in another thread, and the answer printed when it comes.

use tabiya_db::Effort;
use tabiya_play::table::ask;
use tabiya_rules::text::excerpt;

use super::{LineEffect, LineGame, refuse, say};
use crate::commands::ExplorerCommand;
use crate::explorer::{DatabaseKind, ExplorerError, ExplorerQuery, Filter, Found, GameSources};
use crate::opening_names;
use crate::wording::{Explored, Reply};

/// How many games are listed.
const GAMES: usize = 5;

/// The state of the explorer between two queries.
#[derive(Debug, Default)]
pub(super) struct Explorer {
    pub(super) sources: GameSources,
    which: Option<DatabaseKind>,
    filter: Filter,
    /// The filter as it was typed; empty if there is none.
    typed: String,
    /// The opening of the pending query, if there is one.
    pub(super) awaited: Option<Named>,
}

/// The name of the opening of the queried position.
type Named = Option<tabiya_openings::Opening<'static>>;

impl LineGame {
    pub(super) fn explore(&mut self, command: ExplorerCommand) -> Vec<LineEffect> {
        let explorer = &mut self.explorer;
        match command {
            ExplorerCommand::Off => {
                (explorer.which, explorer.filter) = (None, Filter::default());
                explorer.typed.clear();
                return say("explorer", Vec::new());
            }
            ExplorerCommand::Show {
                which,
                filter,
                typed,
            } => {
                let which = which.or(explorer.which);
                let meant = explorer.sources.meant(which);
                let found = explorer.sources.find(meant);
                let usable = filter
                    .as_ref()
                    .map_or(Ok(()), |filter| filter.check(meant == DatabaseKind::Own));
                // What is refused changes nothing.
                if let Err(error) = found.and(usable.map_err(ExplorerError::from)) {
                    return refuse("explorer", error.to_string());
                }
                explorer.which = which;
                if let Some(filter) = filter {
                    explorer.filter = filter;
                    explorer.typed = typed;
                }
            }
        }
        let which = explorer.sources.meant(explorer.which);
        match explorer.sources.find(which) {
            Err(error) => refuse("explorer", error.to_string()),
            Ok(source) => {
                let filter = explorer.filter.clone();
                let node = self.table().session().record().cursor();
                let named = ask::opening(opening_names::known(), node);
                let query = ExplorerQuery::at(source, node, filter, GAMES, Effort::EveryGame);
                self.explorer.awaited = Some(named);
                vec![LineEffect::Explore(Box::new(query))]
            }
        }
    }

    /// Handles the answer of a database.
    pub(crate) fn explored(&mut self, found: Result<Found, ExplorerError>) -> Vec<LineEffect> {
        let opening = self.explorer.awaited.take().flatten();
        match found {
            Err(error) => refuse("explorer", error.to_string()),
            Ok(found) => {
                let is_empty = found.answer.score.games() == 0;
                let explored = Explored { found, opening };
                let mut effects = vec![LineEffect::Say(Reply::Explored(Box::new(explored)))];
                let typed = &self.explorer.typed;
                if is_empty && !typed.is_empty() && self.asks {
                    let sentence = format!(
                        "Only games that fit '{}' are counted; explorer all counts every game.",
                        excerpt(typed)
                    );
                    effects.extend(say("explorer", vec![sentence]));
                }
                effects
            }
        }
    }
}
