//! The interface between the server and a search: [`Searcher`], its [`Request`], [`Report`] and [`Answer`], and the
//! [`Control`] that stops it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tabiya_rules::{Move, MoveHistory};
use tabiya_uci::{Go, ScoreValue};

use crate::level::Level;
use crate::options::Settings;
use crate::time::Budget;

/// Something that finds moves.
pub trait Searcher: Send + 'static {
    /// Applies settings, and returns a sentence about what could not be applied. Called between searches only.
    fn configure(&mut self, _settings: &Settings) -> Option<String> {
        None
    }

    /// Forgets everything about the game so far.
    fn new_game(&mut self) {}

    /// Searches until a limit of the request is reached or the control says stop, which must be noticed within a few
    /// milliseconds. Each call of `report` is shown at once.
    fn search(
        &mut self,
        request: &Request,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> Answer;
}

/// What to search.
#[derive(Clone, Debug)]
pub struct Request {
    /// The game so far.
    pub played: MoveHistory,
    /// The moves to choose from: legal, and at least one.
    pub moves: Vec<Move>,
    /// How many principal variations to report, at least one.
    pub multi_pv: usize,
    /// Depth limit in plies.
    pub depth: Option<u32>,
    /// Node limit.
    pub nodes: Option<u64>,
    /// Soft node limit: after so many nodes no further iteration is started, and ten times as many end the search.
    pub soft_nodes: Option<u64>,
    /// Search until a mate in this many moves is found.
    pub mate: Option<u32>,
    /// Play at about this Elo rating.
    pub elo: Option<u32>,
    /// Play at this level, which takes precedence over a rating.
    pub level: Option<Level>,
    /// Determines what a level or a rating misjudges and overlooks: the same seed plays the same.
    pub seed: u64,
}

impl Request {
    /// All moves, one line, no limits: the search ends when the control says so.
    ///
    /// ```
    /// use tabiya_engine::Request;
    /// use tabiya_rules::MoveHistory;
    ///
    /// let request = Request {
    ///     depth: Some(8),
    ///     ..Request::new(MoveHistory::default())
    /// };
    /// assert_eq!(request.moves.len(), 20);
    /// ```
    #[must_use]
    pub fn new(played: MoveHistory) -> Request {
        Request {
            moves: played.current().legal_moves().to_vec(),
            played,
            multi_pv: 1,
            depth: None,
            nodes: None,
            soft_nodes: None,
            mate: None,
            elo: None,
            level: None,
            seed: 0,
        }
    }

    /// The request of a `go` command. Moves of `searchmoves` that are not legal are ignored; `seed` is used if the
    /// settings have none.
    pub(crate) fn from_go(
        settings: &Settings,
        played: &MoveHistory,
        go: &Go,
        seed: u64,
    ) -> Request {
        let position = played.current();
        let mut moves: Vec<Move> = go
            .search_moves
            .iter()
            .filter_map(|&m| position.resolve_uci(m).ok())
            .collect();
        if moves.is_empty() {
            moves = position.legal_moves().to_vec();
        }
        Request {
            played: played.clone(),
            multi_pv: settings.multi_pv.clamp(1, moves.len().max(1)),
            moves,
            depth: go.depth,
            nodes: go.nodes,
            soft_nodes: None,
            mate: go.mate,
            elo: settings.limit_strength.then_some(settings.elo),
            level: settings.level,
            seed: settings.seed.unwrap_or(seed),
        }
    }
}

/// A principal variation with its score.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// Depth in plies.
    pub depth: u32,
    /// Selective depth: the length of the longest line searched, in plies.
    pub seldepth: u32,
    /// The rank of this variation, from 1 for the best.
    pub multi_pv: u32,
    /// The score for the side to move.
    pub score: ScoreValue,
    /// Nodes searched.
    pub nodes: u64,
    /// How full the transposition table is, in permille; 0 if there is none.
    pub hashfull: u32,
    /// The principal variation.
    pub pv: Vec<Move>,
}

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The best move; `None` only if there was none to choose from.
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
}

impl Answer {
    /// No move, for a game that is over.
    pub(crate) const NONE: Answer = Answer {
        best: None,
        ponder: None,
    };

    /// The answer of a searcher that may be faulty: a move that was not asked for, or a panic (`None`), becomes the
    /// first move of the request.
    pub(crate) fn checked(answer: Option<Answer>, request: &Request) -> Answer {
        let is_requested = |answer: &Answer| {
            answer
                .best
                .is_some_and(|best| request.moves.contains(&best))
        };
        answer.filter(is_requested).unwrap_or(Answer {
            best: request.moves.first().copied(),
            ponder: None,
        })
    }
}

/// Stops a search from other threads, and holds its clock.
#[derive(Debug)]
pub struct Control {
    start: Instant,
    stop: AtomicBool,
    /// Microseconds after the start; `u64::MAX` for none.
    hard_limit: AtomicU64,
    /// When the clock for the move was started, in microseconds after the start.
    clock_start: AtomicU64,
    /// Microseconds after the clock's start; `u64::MAX` for none.
    soft_limit: AtomicU64,
    /// Whether the move may be sent. While pondering or with `go infinite` it has to wait.
    released: Mutex<bool>,
    changed: Condvar,
}

impl Control {
    /// Without time limits, and free to answer.
    #[must_use]
    pub fn new() -> Control {
        Control {
            start: Instant::now(),
            stop: AtomicBool::new(false),
            hard_limit: AtomicU64::new(u64::MAX),
            clock_start: AtomicU64::new(0),
            soft_limit: AtomicU64::new(u64::MAX),
            released: Mutex::new(true),
            changed: Condvar::new(),
        }
    }

    /// Must wait for [`Control::release`] before it answers.
    #[must_use]
    pub(crate) fn held() -> Control {
        Control {
            released: Mutex::new(false),
            ..Control::new()
        }
    }

    /// Should the search end now? Cheap enough to be asked every few hundred nodes.
    #[must_use]
    pub fn should_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
            || self.micros() >= self.hard_limit.load(Ordering::Relaxed)
    }

    /// The time since the control was created.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Ends the search, and lets it answer.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.release();
    }

    /// Sets a hard limit, counted from now.
    pub fn stop_after(&self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let at = self.micros().saturating_add(micros);
        self.hard_limit.store(at, Ordering::Relaxed);
    }

    /// Starts the clock with a budget.
    pub fn start_clock(&self, budget: Budget) {
        if let Some(soft) = budget.soft {
            let micros = u64::try_from(soft.as_micros()).unwrap_or(u64::MAX);
            self.clock_start.store(self.micros(), Ordering::Relaxed);
            self.soft_limit.store(micros, Ordering::Relaxed);
        }
        self.stop_after(budget.hard);
    }

    /// Has this share of the soft limit passed, so that another iteration should not be started? Always false without a
    /// soft limit.
    #[must_use]
    pub fn is_past_soft_limit(&self, percent: u32) -> bool {
        let soft_limit = self.soft_limit.load(Ordering::Relaxed);
        if soft_limit == u64::MAX {
            return false;
        }
        let start = self.clock_start.load(Ordering::Relaxed);
        let passed = self.micros() - start.min(self.micros());
        u128::from(passed) * 100 >= u128::from(soft_limit) * u128::from(percent)
    }

    /// The moment of the hard limit, if there is one.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        match self.hard_limit.load(Ordering::Relaxed) {
            u64::MAX => None,
            micros => self.start.checked_add(Duration::from_micros(micros)),
        }
    }

    fn micros(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    /// Lets the search answer.
    pub(crate) fn release(&self) {
        *self.released.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.changed.notify_all();
    }

    /// Waits until the search may answer.
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
