//! The engine inside a program, with a thread of its own for each search.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use tabiya_rules::MoveHistory;
use tabiya_uci::{AnalysisLimits, Analyst, EngineError, ExitNote, Phase, SearchEvent};

use crate::local::think;
use crate::options::Settings;
use crate::search::AlphaBeta;
use crate::searcher::{Control, Searcher};
use crate::threads::MemoryLimit;

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
    searcher: Arc<Mutex<BoxedSearcher>>,
    running: Option<Running>,
}

struct BoxedSearcher(Box<dyn Searcher>);

impl std::fmt::Debug for BoxedSearcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Searcher")
    }
}

#[derive(Debug)]
struct Running {
    control: Arc<Control>,
    /// Never locked, as it is only used by `&mut`: the mutex makes the engine `Sync`.
    events: Mutex<Receiver<SearchEvent>>,
    thread: JoinHandle<()>,
}

impl LocalEngine {
    /// An engine with settings.
    #[must_use]
    pub fn new(settings: Settings) -> LocalEngine {
        LocalEngine::with_searcher(settings, AlphaBeta::default())
    }

    /// An engine with your own searcher.
    #[must_use]
    pub fn with_searcher(settings: Settings, searcher: impl Searcher) -> LocalEngine {
        LocalEngine {
            settings,
            searcher: Arc::new(Mutex::new(BoxedSearcher(Box::new(searcher)))),
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
        let mut searcher = self.searcher.lock().unwrap_or_else(PoisonError::into_inner);
        searcher.0.new_game();
        Ok(())
    }

    /// Collects the thread of a search that is over.
    fn finish(&mut self) {
        if let Some(running) = self.running.take() {
            // The search itself never panics: `think` catches that.
            let _ = running.thread.join();
        }
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
        let mut settings = self.settings.clone();
        settings.multi_pv = limits.multi_pv.max(1) as usize;
        let control = Arc::new(Control::new());
        let (sender, events) = channel();
        let search = {
            let (game, go) = (game.clone(), limits.go.clone());
            let (control, searcher) = (Arc::clone(&control), Arc::clone(&self.searcher));
            move || {
                let mut searcher = searcher.lock().unwrap_or_else(PoisonError::into_inner);
                let searcher = searcher.0.as_mut();
                // Nobody listens any more after the engine was dropped.
                let best = think(searcher, &settings, &game, &go, &control, &mut |info| {
                    let _ = sender.send(SearchEvent::Info(info));
                });
                let _ = sender.send(SearchEvent::BestMove(best));
            }
        };
        let thread = MemoryLimit::of_process().spawn(search);
        let thread = thread.map_err(|error| EngineError::NoThread {
            reason: error.to_string(),
        })?;
        self.running = Some(Running {
            control,
            events: Mutex::new(events),
            thread,
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
                    self.finish();
                }
                Ok(Some(event))
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => {
                self.finish();
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
            running.control.stop();
        }
        Ok(())
    }
}

impl Drop for LocalEngine {
    fn drop(&mut self) {
        // A control that was told to stop never fails to end a search.
        let _ = self.stop();
        self.finish();
    }
}
