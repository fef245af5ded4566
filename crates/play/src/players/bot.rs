//! The engine inside this program.

use std::sync::Arc;

use tabiya_engine::{AlphaBeta, Control, Searcher, Settings};
use tabiya_rules::MoveHistory;
use tabiya_uci::{BestMove, Go, SearchInfo};

use super::spec::Level;

/// What the engine inside is called where players are named.
pub(crate) const NAME: &str = "Tabiya";

/// A searcher with its settings.
pub struct Bot {
    searcher: Box<dyn Searcher>,
    settings: Settings,
}

impl Bot {
    pub(super) fn new(settings: Settings) -> Bot {
        Bot {
            searcher: Box::new(AlphaBeta::default()),
            settings,
        }
    }

    pub(super) fn new_game(&mut self) {
        self.searcher.new_game();
    }

    pub(super) fn set_seed(&mut self, seed: u64) {
        self.settings.seed = Some(seed);
    }

    /// Thinks until a limit is reached or the control says stop.
    pub(super) fn think(
        &mut self,
        played: &MoveHistory,
        go: &Go,
        control: &Arc<Control>,
        mut report: impl FnMut(SearchInfo),
    ) -> BestMove {
        let searcher = self.searcher.as_mut();
        tabiya_engine::think(searcher, &self.settings, played, go, control, &mut report)
    }
}

impl std::fmt::Debug for Bot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bot")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

/// The settings of a level.
pub(super) fn settings(level: Option<Level>) -> Settings {
    Settings::new().with_level(level)
}
