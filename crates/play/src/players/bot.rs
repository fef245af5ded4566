//! The engine inside this program.

use std::sync::Arc;

use tabiya_engine::{AlphaBeta, Control, Searcher, Settings};
use tabiya_rules::{MoveHistory, SplitMix64};
use tabiya_uci::{BestMove, Go, Info, SearchInfo};

use super::book::SharedBook;
use super::spec::Level;

/// What the engine inside is called where players are named.
pub(crate) const NAME: &str = "Tabiya";

/// How the engine inside plays.
#[derive(Clone, Debug, Default)]
pub struct BotConfig {
    /// Its strength and everything else that it can be set to. Its seed also picks the moves of the book.
    pub settings: Settings,
    /// The book it plays from as long as there are moves in it.
    pub book: Option<SharedBook>,
}

impl BotConfig {
    /// A bot of this level, or of full strength, without a book.
    pub(super) fn at(level: Option<Level>) -> BotConfig {
        BotConfig::from(Settings::new().with_level(level))
    }
}

impl From<Settings> for BotConfig {
    /// Without a book.
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
    /// What the moves of the book are picked with.
    random: SplitMix64,
}

impl Bot {
    pub(super) fn new(config: BotConfig) -> Bot {
        Bot {
            searcher: AlphaBeta::default(),
            random: SplitMix64::new(config.settings.seed.unwrap_or_default()),
            config,
        }
    }

    pub(super) fn new_game(&mut self) {
        self.searcher.new_game();
    }

    pub(super) fn set_seed(&mut self, seed: u64) {
        self.config.settings.seed = Some(seed);
        self.random = SplitMix64::new(seed);
    }

    /// Plays from the book, or thinks until a limit is reached or the control says stop. A book that cannot be read is
    /// reported and not asked again.
    pub(super) fn think(
        &mut self,
        played: &MoveHistory,
        go: &Go,
        control: &Arc<Control>,
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
