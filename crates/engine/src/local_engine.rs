//! The engine inside a program, with a thread of its own.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tabiya_rules::MoveHistory;
use tabiya_uci::{AnalysisLimits, Analyst, EngineError, ExitNote, Phase, SearchEvent};

use crate::local::think;
use crate::options::Settings;
use crate::search::AlphaBeta;
use crate::search_pool::{SearchHandle, SearchPool, SearchPriority};
use crate::searcher::Searcher;

/// The engine inside a program, for analysis: the same interface as a UCI process behind [`tabiya_uci::Engine`].
///
/// ```
/// use tabiya_engine::LocalEngine;
/// use tabiya_rules::{MoveHistory, Score};
/// use tabiya_uci::{Analyst, AnalysisLimits, Go};
///
/// let mut game = MoveHistory::default();
/// for text in ["f3", "e5", "g4"] {
///     game.push_san(text)?;
/// }
/// let mut engine = LocalEngine::default();
/// let limits = AnalysisLimits::from(Go::new().with_depth(4)).with_multi_pv(2);
/// let mut analysis = engine.analyse(&game, limits)?;
/// for line in &mut analysis {
///     assert!(line?.info.depth <= Some(4));
/// }
/// let result = analysis.wait()?;
/// assert_eq!(result.lines.len(), 2);
/// assert_eq!(game.current().san(result.best.best.unwrap()).to_string(), "Qh4#");
/// assert_eq!(result.lines[0].info.score.unwrap().value, Score::MateIn(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LocalEngine {
    /// The settings of the searches to come. An analysis sets the number of lines itself.
    pub settings: Settings,
    /// The thread that searches, or why there is none.
    thread: Result<SearchPool<Box<dyn Searcher>>, EngineError>,
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    search: SearchHandle,
    /// Never locked, as it is only used by `&mut`: the mutex makes the engine `Sync`.
    events: Mutex<Receiver<SearchEvent>>,
}

impl LocalEngine {
    /// An engine with settings.
    #[must_use]
    pub fn new(settings: Settings) -> LocalEngine {
        LocalEngine::with_searcher(settings, AlphaBeta::default())
    }

    /// An engine with your own searcher. It gets a thread of its own at once; if the system refuses it, every search fails.
    #[must_use]
    pub fn with_searcher(settings: Settings, searcher: impl Searcher) -> LocalEngine {
        let searcher: Box<dyn Searcher> = Box::new(searcher);
        let thread = SearchPool::start([searcher]).map_err(|error| EngineError::NoThread {
            reason: error.to_string(),
        });
        LocalEngine {
            settings,
            thread,
            running: None,
        }
    }

    /// Forgets everything about the game so far.
    ///
    /// # Errors
    /// It is thinking.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        if self.running.is_some() {
            return Err(EngineError::Busy);
        }
        if let Ok(thread) = &self.thread {
            thread.run(|searcher| searcher.new_game());
        }
        Ok(())
    }
}

impl Default for LocalEngine {
    /// Full strength, one thread.
    fn default() -> LocalEngine {
        LocalEngine::new(Settings::default())
    }
}

impl Analyst for LocalEngine {
    fn begin(&mut self, game: &MoveHistory, limits: &AnalysisLimits) -> Result<(), EngineError> {
        if self.running.is_some() {
            return Err(EngineError::Busy);
        }
        let thread = self.thread.as_ref().map_err(Clone::clone)?;
        let mut settings = self.settings.clone();
        settings.multi_pv = limits.multi_pv.max(1) as usize;
        let (game, go) = (game.clone(), limits.go.clone());
        let (sender, events) = channel();
        let search = thread.search(SearchPriority::Normal, move |searcher, control| {
            let searcher = searcher.as_mut();
            // Nobody listens any more after the engine was dropped.
            let best = think(searcher, &settings, &game, &go, control, &mut |info| {
                let _ = sender.send(SearchEvent::Info(info));
            });
            let _ = sender.send(SearchEvent::BestMove(best));
        });
        self.running = Some(Running {
            search,
            events: Mutex::new(events),
        });
        Ok(())
    }

    fn next_event(&mut self, wait: Duration) -> Result<Option<SearchEvent>, EngineError> {
        let Some(running) = &mut self.running else {
            return Ok(None);
        };
        let events = running.events.get_mut();
        let events = events.unwrap_or_else(PoisonError::into_inner);
        match events.recv_timeout(wait) {
            Ok(event) => {
                if matches!(event, SearchEvent::BestMove(_)) {
                    self.running = None;
                }
                Ok(Some(event))
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => {
                self.running = None;
                Err(EngineError::Ended {
                    phase: Phase::Search,
                    exit: ExitNote::Unknown,
                    last_words: None,
                })
            }
        }
    }

    fn stop(&mut self) -> Result<(), EngineError> {
        if let Some(running) = &self.running {
            running.search.stop();
        }
        Ok(())
    }
}

impl Drop for LocalEngine {
    fn drop(&mut self) {
        self.running = None;
        if let Ok(thread) = &mut self.thread {
            thread.join();
        }
    }
}
