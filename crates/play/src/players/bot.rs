//! The built-in engine as a player.

use tabiya_engine::{AlphaBeta, Control, Searcher, Settings};
use tabiya_rules::{MoveHistory, SplitMix64};
use tabiya_uci::{BestMove, Go, Info, SearchInfo};

use super::book::SharedBook;

/// The name of the built-in engine.
pub(crate) const NAME: &str = "Tabiya";

/// How the built-in engine plays.
#[derive(Clone, Debug, Default)]
pub struct BotConfig {
    /// Its strength and other settings. The seed also picks the book moves.
    pub settings: Settings,
    /// The book it plays from for as long as it has moves.
    pub book: Option<SharedBook>,
}

impl From<Settings> for BotConfig {
    /// Creates a config without a book.
    fn from(settings: Settings) -> BotConfig {
        BotConfig {
            settings,
            book: None,
        }
    }
}

/// A searcher with its settings and its book.
pub struct Bot {
    searcher: AlphaBeta,
    config: BotConfig,
    /// Picks the book moves.
    random: SplitMix64,
}

impl Bot {
    /// Creates the engine without having searched.
    pub(super) fn new(config: BotConfig) -> Bot {
        Bot {
            searcher: AlphaBeta::default(),
            random: SplitMix64::new(config.settings.seed.unwrap_or_default()),
            config,
        }
    }

    /// Forgets what was learned from other positions.
    pub(super) fn new_game(&mut self) {
        self.searcher.new_game();
    }

    /// Sets the seed that decides what a bot with a level overlooks.
    pub(super) fn set_seed(&mut self, seed: u64) {
        self.config.settings.seed = Some(seed);
        self.random = SplitMix64::new(seed);
    }

    /// Plays from the book, or searches until a limit is reached or the control says stop. A book that cannot be read
    /// is reported once and not used again.
    pub(super) fn think(
        &mut self,
        played: &MoveHistory,
        go: &Go,
        control: &Control,
        mut report: impl FnMut(SearchInfo),
    ) -> BestMove {
        if let Some(book) = &self.config.book {
            match book.pick(played.current(), self.random.next_u64()) {
                Ok(Some(found)) => return BestMove::new(found),
                Ok(None) => {}
                Err(error) => {
                    report(SearchInfo::new(Info::message(error), Vec::new()));
                    self.config.book = None;
                }
            }
        }
        let (searcher, settings) = (&mut self.searcher, &self.config.settings);
        tabiya_engine::think(searcher, settings, played, go, control, &mut report)
    }
}

impl std::fmt::Debug for Bot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bot")
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}
