//! The interface between the server and whatever thinks.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tabiya_rules::Move;
use tabiya_uci::{Played, ScoreValue};

use crate::level::Level;
use crate::options::Settings;
use crate::time::Budget;

/// Something that finds moves.
pub trait Searcher: Send + 'static {
    /// Takes over settings, and says in a sentence what of them cannot be had. Called between searches only.
    fn configure(&mut self, _settings: &Settings) -> Option<String> {
        None
    }

    /// Forgets what it learned about the game so far.
    fn new_game(&mut self) {}

    /// Thinks until a limit of the request is reached or the control says stop, which must be noticed within a few
    /// milliseconds. Each call of `report` is shown at once.
    fn search(
        &mut self,
        request: &Request,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> Answer;
}

/// What to think about.
#[derive(Clone, Debug)]
pub struct Request {
    /// The game so far.
    pub played: Played,
    /// The moves to choose from: legal, and at least one.
    pub moves: Vec<Move>,
    /// How many lines to report, at least one.
    pub lines: usize,
    /// So many half-moves deep.
    pub depth: Option<u32>,
    /// So many positions.
    pub nodes: Option<u64>,
    /// Until a mate in so many moves is found.
    pub mate: Option<u32>,
    /// Play about as well as somebody of this Elo rating.
    pub elo: Option<u32>,
    /// Play like this level; it counts more than a rating.
    pub level: Option<Level>,
    /// What a level or a rating misjudges and overlooks depends on it: the same seed plays the same.
    pub seed: u64,
}

impl Request {
    /// All moves, one line, no limits: it ends when the control says so.
    ///
    /// ```
    /// use tabiya_engine::Request;
    /// use tabiya_uci::Played;
    ///
    /// let request = Request {
    ///     depth: Some(8),
    ///     ..Request::new(Played::default())
    /// };
    /// assert_eq!(request.moves.len(), 20);
    /// ```
    #[must_use]
    pub fn new(played: Played) -> Request {
        Request {
            moves: played.current().legal_moves().to_vec(),
            played,
            lines: 1,
            depth: None,
            nodes: None,
            mate: None,
            elo: None,
            level: None,
            seed: 0,
        }
    }
}

/// What a search found out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// Depth in half-moves.
    pub depth: u32,
    /// Depth of the deepest line.
    pub selective_depth: u32,
    /// The number of the line, from 1 for the best.
    pub line: u32,
    /// For the side to move.
    pub score: ScoreValue,
    /// Positions searched.
    pub nodes: u64,
    /// How full the table is, in thousandths; 0 where there is none.
    pub table: u32,
    /// The line itself.
    pub pv: Vec<Move>,
}

/// The end of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The move to play; `None` only where there was none to choose from.
    pub best: Option<Move>,
    /// The expected answer.
    pub ponder: Option<Move>,
}

/// How a search is told to end, from other threads.
#[derive(Debug)]
pub struct Control {
    begun: Instant,
    stop: AtomicBool,
    /// Microseconds after the beginning; the greatest number for none.
    deadline: AtomicU64,
    /// When the time for the move began to run, and how long it usually is, in microseconds; the greatest number for
    /// as long as it may.
    clock_begun: AtomicU64,
    usual: AtomicU64,
    /// Whether the move may be said. While pondering or thinking without a limit it has to wait.
    released: Mutex<bool>,
    changed: Condvar,
}

impl Control {
    /// Without a deadline, and free to answer.
    #[must_use]
    pub fn new() -> Control {
        Control {
            begun: Instant::now(),
            stop: AtomicBool::new(false),
            deadline: AtomicU64::new(u64::MAX),
            clock_begun: AtomicU64::new(0),
            usual: AtomicU64::new(u64::MAX),
            released: Mutex::new(true),
            changed: Condvar::new(),
        }
    }

    /// Free to answer only when it is told.
    #[must_use]
    pub(crate) fn held() -> Control {
        Control {
            released: Mutex::new(false),
            ..Control::new()
        }
    }

    /// Should the search end now? Cheap enough to be asked every few hundred positions.
    #[must_use]
    pub fn should_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.micros() >= self.deadline.load(Ordering::Relaxed)
    }

    /// How long the search has been going on.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Ends the search, and lets it answer.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.release();
    }

    /// Ends the search so long from now.
    pub fn stop_after(&self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let at = self.micros().saturating_add(micros);
        self.deadline.store(at, Ordering::Relaxed);
    }

    /// Lets the search end by itself within a budget, which begins to run now.
    pub fn think_for(&self, budget: Budget) {
        if let Some(usual) = budget.usual {
            let micros = u64::try_from(usual.as_micros()).unwrap_or(u64::MAX);
            self.clock_begun.store(self.micros(), Ordering::Relaxed);
            self.usual.store(micros, Ordering::Relaxed);
        }
        self.stop_after(budget.most);
    }

    /// Has so much of the usual time for a move passed that another depth is not worth beginning? Without a usual time
    /// it always is.
    #[must_use]
    pub fn is_time_to_move(&self, percent: u32) -> bool {
        let usual = self.usual.load(Ordering::Relaxed);
        if usual == u64::MAX {
            return false;
        }
        let passed = self.micros() - self.clock_begun.load(Ordering::Relaxed).min(self.micros());
        u128::from(passed) * 100 >= u128::from(usual) * u128::from(percent)
    }

    /// When the search ends by itself, if it does.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        match self.deadline.load(Ordering::Relaxed) {
            u64::MAX => None,
            micros => self.begun.checked_add(Duration::from_micros(micros)),
        }
    }

    fn micros(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    /// Lets it answer.
    pub(crate) fn release(&self) {
        *self.released.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.changed.notify_all();
    }

    /// Waits until it may answer.
    pub(crate) fn wait_until_released(&self) {
        let mut released = self.released.lock().unwrap_or_else(PoisonError::into_inner);
        while !*released {
            let waited = self.changed.wait(released);
            released = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Default for Control {
    fn default() -> Control {
        Control::new()
    }
}
