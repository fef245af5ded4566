//! The explorer in the line mode: a database is queried in another thread, and the answer printed when it comes.

use tabiya_db::Effort;
use tabiya_play::table::ask;
use tabiya_rules::text::excerpt;

use super::{LineEffect, LineGame, refuse, say};
use crate::explorer::{Explorer, ExplorerCommand, ExplorerError, ExplorerQuery, Found};
use crate::opening_names;
use crate::wording::{Explored, Reply};

/// How many games are listed.
const GAMES: usize = 5;

/// The name of the opening of the queried position.
pub(super) type Named = Option<tabiya_openings::Opening<'static>>;

impl LineGame {
    pub(super) fn explore(&mut self, command: ExplorerCommand) -> Vec<LineEffect> {
        let ExplorerCommand::Show { which, filter } = command else {
            self.explorer = Explorer::default();
            return say("explorer", Vec::new());
        };
        match self.explorer.turn_to(which, filter, &self.game_sources) {
            Err(error) => refuse("explorer", error.to_string()),
            Ok(selection) => {
                let node = self.table().session().record().cursor();
                let named = ask::opening(opening_names::known(), node);
                let query = ExplorerQuery::at(selection, node, GAMES, Effort::EveryGame);
                self.awaited = Some(named);
                vec![LineEffect::Explore(Box::new(query))]
            }
        }
    }

    /// Handles the answer of a database.
    pub(crate) fn explored(&mut self, found: Result<Found, ExplorerError>) -> Vec<LineEffect> {
        let opening = self.awaited.take().flatten();
        let found = match found {
            Err(error) => return refuse("explorer", error.to_string()),
            Ok(found) => found,
        };
        let is_empty = found.answer.score.games() == 0;
        let found = Explored { found, opening };
        let typed = self.explorer.typed();
        let mut effects = vec![LineEffect::Say(Reply::Explored(Box::new(found)))];
        if self.asks && is_empty && !typed.is_empty() {
            let sentence = format!(
                "Only games that fit '{}' are counted; explorer all counts every game.",
                excerpt(typed)
            );
            effects.extend(say("explorer", vec![sentence]));
        }
        effects
    }
}
