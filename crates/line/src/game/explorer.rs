//! The explorer in the line mode: a database is queried in another thread, and the answer printed when it comes.

use tabiya_db::Effort;
use tabiya_front::explorer::{
    Explorer, ExplorerCommand, ExplorerError, ExplorerQuery, Found, GameFilter,
};
use tabiya_front::wording::Reply;
use tabiya_rules::text::excerpt;

use super::{LineEffect, LineGame, refuse, say};

/// How many games are listed.
const GAMES: usize = 5;

impl LineGame {
    pub(super) fn explore(&mut self, command: ExplorerCommand) -> Vec<LineEffect> {
        let ExplorerCommand::Show { which, filter } = command else {
            self.explorer = Explorer::default();
            return say("explorer", Vec::new());
        };
        match self.explorer.turn_to(which, filter, &self.game_sources) {
            Err(error) => refuse("explorer", self.why_no_database(&error)),
            Ok(selection) => {
                let node = self.table().session().record().cursor();
                let query = ExplorerQuery::at(selection, node, GAMES, Effort::EveryGame);
                self.pending_queries += 1;
                vec![LineEffect::Explore(Box::new(query))]
            }
        }
    }

    /// Why there is nothing to ask. A pipe reads no settings, so there none is named.
    fn why_no_database(&self, error: &ExplorerError) -> String {
        let is_piped = !self.is_interactive;
        let why = if is_piped && matches!(error, ExplorerError::NoDatabase) {
            "There is no database: build one with `tabiya db build`, and name it with `tabiya play --db DIR`."
        } else if is_piped && matches!(error, ExplorerError::OwnIsOff) {
            "Through a pipe, saved games are not a database: it reads no settings."
        } else {
            return error.to_string();
        };
        why.to_owned()
    }

    /// Handles the answer of a database.
    pub(crate) fn explored(&mut self, found: Result<Found, ExplorerError>) -> Vec<LineEffect> {
        self.pending_queries -= 1;
        let found = match found {
            Err(error) => return refuse("explorer", error.to_string()),
            Ok(found) => found,
        };
        let is_empty = found.answer.score.games() == 0;
        let filter = found.filter.clone();
        let mut effects = vec![LineEffect::Say(Reply::Explored(Box::new(found)))];
        if self.is_interactive && is_empty && filter != GameFilter::default() {
            let sentence = format!(
                "Only games that fit '{}' are counted; explorer all counts every game.",
                excerpt(&filter.text)
            );
            effects.extend(say("explorer", vec![sentence]));
        }
        effects
    }
}
