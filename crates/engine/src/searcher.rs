//! The interface between the server and a search: [`Searcher`], its [`Request`] and [`Report`], and the [`Control`]
//! that stops it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tabiya_rules::{Move, MoveHistory, Score};
use tabiya_uci::{BestMove, Bound, Go};

use crate::level::Level;
use crate::options::Settings;
use crate::root_order::order_root_moves;
use crate::time::Budget;

/// Something that finds moves.
///
/// ```
/// use tabiya_engine::{Control, Report, Request, Searcher, Settings, think};
/// use tabiya_rules::MoveHistory;
/// use tabiya_uci::{BestMove, Go};
///
/// /// Plays the first move it is offered.
/// struct First;
///
/// impl Searcher for First {
///     fn search(&mut self, request: &Request, _: &Control, _: &mut dyn FnMut(Report)) -> BestMove {
///         BestMove { best: request.moves.first().copied(), ponder: None }
///     }
/// }
///
/// let game = MoveHistory::default();
/// let best = think(&mut First, &Settings::new(), &game, &Go::new(), &Control::new(), &mut |_| {});
/// assert!(best.best.is_some());
/// ```
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
    ) -> BestMove;
}

/// What to search.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Request {
    /// The game so far.
    pub game: MoveHistory,
    /// The moves to choose from: legal, and at least one. The first is played if there is no time for a search at all.
    pub moves: Vec<Move>,
    /// How many principal variations to report, at least one.
    pub multi_pv: usize,
    /// Depth limit in plies.
    pub depth: Option<u32>,
    /// Node limit.
    pub nodes: Option<u64>,
    /// Soft node limit: after this many nodes no further iteration is started, and ten times as many end the search.
    pub soft_nodes: Option<u64>,
    /// Search until a mate in this many moves is found.
    pub mate: Option<u32>,
    /// Play at about this Elo rating.
    pub elo: Option<u32>,
    /// Play at this level, which takes precedence over a rating.
    pub level: Option<Level>,
    /// Determines what a level or a rating misjudges and overlooks: the same seed plays the same. At full strength games
    /// with different seeds differ, without a difference in strength.
    pub seed: Option<u64>,
}

tabiya_uci::setters!(Request {
    /// The moves to choose from: legal, and at least one.
    with_moves(moves: Vec<Move>);
    /// How many principal variations to report, at least one.
    with_multi_pv(multi_pv: usize);
    /// Depth limit in plies.
    with_depth(depth: impl Into<Option<u32>>);
    /// Node limit.
    with_nodes(nodes: impl Into<Option<u64>>);
    /// Soft node limit.
    with_soft_nodes(soft_nodes: impl Into<Option<u64>>);
    /// Search until a mate in this many moves is found.
    with_mate(mate: impl Into<Option<u32>>);
    /// Play at about this Elo rating.
    with_elo(elo: impl Into<Option<u32>>);
    /// Play at this level.
    with_level(level: impl Into<Option<Level>>);
    /// The same seed plays the same.
    with_seed(seed: impl Into<Option<u64>>);
});

impl Request {
    /// All moves, one line, no limits: the search ends when the control says so.
    ///
    /// ```
    /// use tabiya_engine::Request;
    /// use tabiya_rules::MoveHistory;
    ///
    /// let request = Request::new(MoveHistory::default()).with_depth(8);
    /// assert_eq!(request.moves.len(), 20);
    /// ```
    #[must_use]
    pub fn new(game: MoveHistory) -> Request {
        let mut moves = game.current().legal_moves().to_vec();
        order_root_moves(game.current(), &mut moves, None);
        Request {
            moves,
            game,
            multi_pv: 1,
            depth: None,
            nodes: None,
            soft_nodes: None,
            mate: None,
            elo: None,
            level: None,
            seed: None,
        }
    }

    /// The request of a `go` command. Moves of `searchmoves` that are not legal are ignored.
    pub(crate) fn from_go(settings: &Settings, game: &MoveHistory, go: &Go) -> Request {
        let position = game.current();
        let mut moves: Vec<Move> = go
            .search_moves
            .iter()
            .filter_map(|&m| position.resolve_uci(m).ok())
            .collect();
        if moves.is_empty() {
            moves = position.legal_moves().to_vec();
        }
        // Limited players have randomness of their own.
        let limited = settings.limit_strength || settings.level.is_some_and(Level::is_limited);
        let shuffle_seed = settings.seed.filter(|_| !limited);
        order_root_moves(position, &mut moves, shuffle_seed);
        Request {
            game: game.clone(),
            multi_pv: settings.multi_pv.clamp(1, moves.len().max(1)),
            moves,
            depth: go.depth,
            nodes: go.nodes,
            soft_nodes: None,
            mate: go.mate,
            elo: settings.limit_strength.then_some(settings.elo),
            level: settings.level,
            seed: settings.seed,
        }
    }
}

/// A principal variation with its score.
///
/// ```
/// use tabiya_engine::{AlphaBeta, Control, Report, Request, Searcher};
/// use tabiya_rules::MoveHistory;
///
/// let request = Request::new(MoveHistory::default()).with_depth(3);
/// let mut reports: Vec<Report> = Vec::new();
/// AlphaBeta::default().search(&request, &Control::new(), &mut |report| reports.push(report));
/// assert_eq!(reports.last().map(|report| report.depth), Some(3));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Report {
    /// Depth in plies.
    pub depth: u32,
    /// Selective depth: the length of the longest line searched, in plies.
    pub seldepth: u32,
    /// The rank of this variation, from 1 for the best.
    pub multi_pv: u32,
    /// The score for the side to move.
    pub score: Score,
    /// Whether the score is exact, or a bound because the search was stopped before it was resolved.
    pub bound: Bound,
    /// Nodes searched.
    pub nodes: u64,
    /// How full the transposition table is, in permille; `None` without a table.
    pub hashfull: Option<u32>,
    /// The principal variation.
    pub pv: Vec<Move>,
}

tabiya_uci::setters!(Report {
    /// Selective depth, in plies.
    with_seldepth(seldepth: u32);
    /// The rank of this variation, from 1 for the best.
    with_multi_pv(multi_pv: u32);
    /// Whether the score is exact.
    with_bound(bound: Bound);
    /// Nodes searched.
    with_nodes(nodes: u64);
    /// How full the transposition table is, in permille.
    with_hashfull(hashfull: impl Into<Option<u32>>);
});

impl Report {
    /// An exact score of the best line at a depth.
    #[must_use]
    pub fn new(depth: u32, score: Score, pv: Vec<Move>) -> Report {
        Report {
            depth,
            seldepth: depth,
            multi_pv: 1,
            score,
            bound: Bound::Exact,
            nodes: 0,
            hashfull: None,
            pv,
        }
    }
}

/// Searches with a searcher that may be faulty: if it panics, which leaves a message, or answers with a move that was not
/// requested, the answer is the first move of the request.
pub(crate) fn search_checked(
    searcher: &mut dyn Searcher,
    request: &Request,
    control: &Control,
    report: &mut dyn FnMut(Report),
) -> BestMove {
    let search = AssertUnwindSafe(|| searcher.search(request, control, report));
    let answer = catch_unwind(search).ok();
    if answer.is_none() {
        control.add_message(SEARCH_FAILED.to_owned());
    }
    let is_requested = |answer: &BestMove| {
        answer
            .best
            .is_some_and(|best| request.moves.contains(&best))
    };
    answer.filter(is_requested).unwrap_or(BestMove {
        best: request.moves.first().copied(),
        ponder: None,
    })
}

/// What users are told of a panic.
pub(crate) const SEARCH_FAILED: &str = "the search failed";

/// Stops a search from other threads, and holds its clock.
///
/// The clock is the system's, or one that is passed in: [`Control::with_clock`].
///
/// ```
/// use std::sync::Arc;
/// use tabiya_engine::{AlphaBeta, Control, Settings, think};
/// use tabiya_rules::MoveHistory;
/// use tabiya_uci::Go;
///
/// let control = Arc::new(Control::new());
/// let stopper = Arc::clone(&control);
/// std::thread::spawn(move || stopper.stop());
/// let (mut searcher, settings, game) = (AlphaBeta::default(), Settings::new(), MoveHistory::default());
/// let best = think(&mut searcher, &settings, &game, &Go::infinite(), &control, &mut |_| {});
/// assert!(best.best.is_some());
/// ```
#[derive(Debug)]
pub struct Control {
    clock: TimeSource,
    stop: AtomicBool,
    abandoned: AtomicBool,
    /// Counted from the start of the control.
    hard_limit: AtomicLimit,
    /// The moment from which the soft limit counts, in microseconds after the start.
    budget_start: AtomicU64,
    /// Counted from `budget_start`.
    soft_limit: AtomicLimit,
    /// Whether the move may be sent. While pondering or with `go infinite` it has to wait.
    released: Mutex<bool>,
    changed: Condvar,
    /// Messages for the user that have not been shown yet.
    messages: Mutex<Vec<String>>,
}

/// A time limit in microseconds, or none, that other threads may set.
#[derive(Debug)]
struct AtomicLimit(AtomicU64);

impl AtomicLimit {
    /// Stands for no limit: the atomic has no place for an option.
    const NONE: u64 = u64::MAX;

    const fn none() -> AtomicLimit {
        AtomicLimit(AtomicU64::new(AtomicLimit::NONE))
    }

    fn set(&self, micros: u64) {
        self.0.store(micros, Ordering::Relaxed);
    }

    fn get(&self) -> Option<u64> {
        Some(self.0.load(Ordering::Relaxed)).filter(|&micros| micros != AtomicLimit::NONE)
    }
}

/// Where the time of a control comes from.
enum TimeSource {
    /// The system's clock, since a moment.
    System(Instant),
    /// A clock that was passed in, and what it showed at the start.
    Injected {
        now: Box<dyn Fn() -> Duration + Send + Sync>,
        start: Duration,
    },
}

impl TimeSource {
    fn elapsed(&self) -> Duration {
        match self {
            TimeSource::System(start) => start.elapsed(),
            TimeSource::Injected { now, start } => now().saturating_sub(*start),
        }
    }
}

impl std::fmt::Debug for TimeSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TimeSource::System(start) => f.debug_tuple("System").field(start).finish(),
            TimeSource::Injected { start, .. } => f.debug_tuple("Injected").field(start).finish(),
        }
    }
}

impl Control {
    /// Without time limits. The search may send its move when it ends.
    ///
    /// On `wasm32-unknown-unknown`, where the system has no clock, time stands still: use [`Control::with_clock`] for
    /// time limits there.
    #[must_use]
    pub fn new() -> Control {
        if cfg!(all(target_family = "wasm", target_os = "unknown")) {
            Control::with_clock(|| Duration::ZERO)
        } else {
            Control::started_at(Instant::now())
        }
    }

    /// Without time limits. The search may send its move when it ends. The time is what this function returns, counted
    /// from any fixed moment.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU64, Ordering};
    /// use std::time::Duration;
    /// use tabiya_engine::{AlphaBeta, Control, Request, Searcher};
    /// use tabiya_rules::MoveHistory;
    ///
    /// // A clock that advances by a millisecond whenever it is read.
    /// let millis = AtomicU64::new(0);
    /// let control = Control::with_clock(move || Duration::from_millis(millis.fetch_add(1, Ordering::Relaxed)));
    /// control.stop_after(Duration::from_millis(50));
    /// let request = Request::new(MoveHistory::default());
    /// let answer = AlphaBeta::default().search(&request, &control, &mut |_| {});
    /// assert!(answer.best.is_some() && control.elapsed() >= Duration::from_millis(50));
    /// ```
    #[must_use]
    #[doc(alias = "wasm")]
    pub fn with_clock(now: impl Fn() -> Duration + Send + Sync + 'static) -> Control {
        let start = now();
        let now = Box::new(now);
        Control::with_source(TimeSource::Injected { now, start })
    }

    /// Without time limits. The search may send its move when it ends. Its clock was started earlier.
    pub(crate) fn started_at(start: Instant) -> Control {
        Control::with_source(TimeSource::System(start))
    }

    /// Without time limits, with this clock. The search may send its move when it ends.
    fn with_source(clock: TimeSource) -> Control {
        Control {
            clock,
            stop: AtomicBool::new(false),
            abandoned: AtomicBool::new(false),
            hard_limit: AtomicLimit::none(),
            budget_start: AtomicU64::new(0),
            soft_limit: AtomicLimit::none(),
            released: Mutex::new(true),
            changed: Condvar::new(),
            messages: Mutex::default(),
        }
    }

    /// Without time limits; the move is held back until [`Control::release`] (`go infinite`, `go ponder`).
    #[must_use]
    pub(crate) fn held(start: Instant) -> Control {
        Control {
            released: Mutex::new(false),
            ..Control::started_at(start)
        }
    }

    /// Should the search end now? Cheap enough to be asked every few hundred nodes.
    #[must_use]
    pub fn should_stop(&self) -> bool {
        let is_past = |limit| self.micros() >= limit;
        self.stop.load(Ordering::Relaxed) || self.hard_limit.get().is_some_and(is_past)
    }

    /// The time since the control was created.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }

    /// Ends the search, and lets it answer.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.release();
    }

    /// Ends the search, because nobody wants its answer any more.
    pub(crate) fn abandon(&self) {
        self.abandoned.store(true, Ordering::Relaxed);
        self.stop();
    }

    /// Whether nobody wants the answer any more: the [`SearchHandle`](crate::SearchHandle) was dropped.
    #[must_use]
    pub fn is_abandoned(&self) -> bool {
        self.abandoned.load(Ordering::Relaxed)
    }

    /// Sets a hard limit, counted from now.
    pub fn stop_after(&self, time: Duration) {
        self.limit_from_now(Budget::exactly(time));
    }

    /// Sets the limits of a budget, counted from now.
    pub fn limit_from_now(&self, budget: Budget) {
        self.limit_from(self.micros(), budget);
    }

    /// Sets the limits of a budget, counted from the start of the control.
    pub(crate) fn limit_from_start(&self, budget: Budget) {
        self.limit_from(0, budget);
    }

    /// Sets the limits of a budget, counted from a moment in microseconds after the start.
    fn limit_from(&self, budget_start: u64, budget: Budget) {
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        if let Some(soft) = budget.soft {
            self.budget_start.store(budget_start, Ordering::Relaxed);
            self.soft_limit.set(micros(soft));
        }
        self.hard_limit
            .set(budget_start.saturating_add(micros(budget.hard)));
    }

    /// Leaves a message for the user, which is shown with the next report.
    pub fn add_message(&self, message: String) {
        self.lock_messages().push(message);
    }

    /// Takes the messages that have not been shown.
    pub fn take_messages(&self) -> Vec<String> {
        std::mem::take(&mut *self.lock_messages())
    }

    fn lock_messages(&self) -> MutexGuard<'_, Vec<String>> {
        self.messages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has this share of the soft limit passed, so that another iteration should not be started? Always false without a
    /// soft limit.
    #[must_use]
    pub fn is_past_soft_limit(&self, percent: u32) -> bool {
        let Some(soft_limit) = self.soft_limit.get() else {
            return false;
        };
        let start = self.budget_start.load(Ordering::Relaxed);
        let passed = self.micros().saturating_sub(start);
        u128::from(passed) * 100 >= u128::from(soft_limit) * u128::from(percent)
    }

    /// The moment of the hard limit on the system's clock, if there is one.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        let limit = Duration::from_micros(self.hard_limit.get()?);
        match &self.clock {
            TimeSource::System(start) => start.checked_add(limit),
            TimeSource::Injected { .. } => None,
        }
    }

    fn micros(&self) -> u64 {
        u64::try_from(self.clock.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    /// Lets the search answer.
    pub(crate) fn release(&self) {
        *self.released.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.changed.notify_all();
    }

    /// Waits until the search may answer, at most for a time; returns whether it may.
    pub(crate) fn wait_until_released(&self, limit: Duration) -> bool {
        let released = self.released.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self
            .changed
            .wait_timeout_while(released, limit, |released| !*released);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

impl Default for Control {
    fn default() -> Control {
        Control::new()
    }
}

#[cfg(test)]
mod tests {
    //! A control gets along with any clock.

    use super::*;

    #[test]
    fn a_clock_may_step_back() {
        // The clock is read when the control is created, when its limits are set, and once for each question.
        let readings = Mutex::new(vec![200, 10, 50, 0]);
        let control = Control::with_clock(move || {
            let next = readings.lock().ok().and_then(|mut left| left.pop());
            Duration::from_millis(next.unwrap_or(200))
        });
        control.limit_from_now(Budget {
            soft: Some(Duration::from_millis(100)),
            hard: Duration::from_secs(1),
        });
        assert!(!control.is_past_soft_limit(100));
        assert!(control.is_past_soft_limit(100));
    }
}
