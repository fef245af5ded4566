//! One search: its deadlines, its reports, and the move at its end.

use std::time::{Duration, Instant};

use tabiya_rules::{Move, Position, Score, UciMove};

use super::watch::{Overrun, Watch};
use super::{Deadlines, Engine, EngineError};
use crate::command::Go;
use crate::process::Inbox;
use crate::reply::{BestMove, Bound, Info, Reply};

/// What an engine does during a search.
///
/// Stays exhaustive until 1.0, so that the compiler finds what a new event needs.
///
/// ```no_run
/// use std::time::Duration;
/// use tabiya_rules::MoveHistory;
/// use tabiya_uci::{Deadlines, Engine, EngineCommand, Go, SearchEvent};
///
/// let mut engine = Engine::start(&EngineCommand::new("stockfish"), Deadlines::new())?;
/// engine.go(&MoveHistory::default(), Go::new().with_depth(10))?;
/// loop {
///     match engine.next_event(Duration::from_secs(1))? {
///         Some(SearchEvent::Info(line)) => println!("{:?}", line.info.score),
///         Some(SearchEvent::BestMove(best)) => break println!("{best:?}"),
///         Some(SearchEvent::Notice(notice)) => eprintln!("{notice}"),
///         None => {}
///     }
/// }
/// # Ok::<(), tabiya_uci::EngineError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SearchEvent {
    /// A report.
    Info(SearchInfo),
    /// The search is over; the moves are legal.
    BestMove(BestMove),
    /// The engine does something wrong but harmless.
    Notice(Notice),
}

/// A report of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SearchInfo {
    /// What the engine sent.
    pub info: Box<Info>,
    /// The principal variation, up to the first illegal move.
    pub pv: Vec<Move>,
}

impl SearchInfo {
    /// Creates a report from what the engine sent and the legal moves of its principal variation.
    #[must_use]
    pub fn new(info: impl Into<Box<Info>>, pv: Vec<Move>) -> SearchInfo {
        let info = info.into();
        SearchInfo { info, pv }
    }

    /// Returns which of the best lines it is about, from 1.
    #[must_use]
    pub fn rank(&self) -> u32 {
        self.info.multi_pv.unwrap_or(1)
    }

    /// Returns the score, unless it is only a bound.
    #[must_use]
    pub fn exact_score(&self) -> Option<Score> {
        let score = self.info.score?;
        (score.bound == Bound::Exact).then_some(score.value)
    }
}

/// Something that an engine should not do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Notice {
    /// A `bestmove` without a search; it was ignored.
    UnaskedBestMove(String),
    /// It prints faster than its output is read; reports were dropped.
    Flood,
    /// It exceeded its limits and was told to stop; its move counts.
    Overrun(Overrun),
}

impl std::fmt::Display for Notice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Notice::UnaskedBestMove(text) => {
                write!(
                    f,
                    "The engine said '{text}' without being asked; it was ignored."
                )
            }
            Notice::Flood => f.write_str(
                "The engine prints faster than it can be read; some reports were dropped.",
            ),
            Notice::Overrun(overrun) => overrun.fmt(f),
        }
    }
}

/// A running search.
#[derive(Debug)]
pub(super) struct Search {
    pub(super) position: Position,
    /// How long it may take before it is told to stop.
    allowed: Option<Duration>,
    /// When it is told to stop.
    stop_at: Option<Instant>,
    /// The deadline for its move; set once it has been told to stop.
    pub(super) must_answer_at: Option<Instant>,
    watch: Watch,
    /// Why the watch told it to stop, if it did.
    overrun: Option<Overrun>,
    pondering: bool,
    /// A move that came while pondering, to be handed out when pondering ends.
    early: Option<BestMove>,
    /// How many lines the inbox had dropped before.
    dropped: u64,
    flooded: bool,
}

impl Search {
    /// A search that begins now.
    pub(super) fn new(position: Position, go: &Go, deadlines: &Deadlines, inbox: &Inbox) -> Search {
        let clock = go.time[position.turn()];
        let given = match (go.move_time, clock) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let allowed = given
            .filter(|_| !go.infinite)
            .map(|time| time + deadlines.overtime);
        let mut search = Search {
            position,
            allowed,
            stop_at: None,
            must_answer_at: None,
            watch: Watch::new(go, allowed.is_some(), deadlines.silence),
            overrun: None,
            pondering: go.ponder,
            early: None,
            dropped: inbox.dropped(),
            flooded: false,
        };
        if !go.ponder {
            search.start_deadlines();
        }
        search
    }

    /// Begins to count the time, at the start or after pondering.
    fn start_deadlines(&mut self) {
        let now = Instant::now();
        self.stop_at = self.allowed.and_then(|time| now.checked_add(time));
        self.watch.begin(now);
    }

    pub(super) fn is_pondering(&self) -> bool {
        self.pondering
    }

    /// Begins to count the time: the search is now for a move of its own.
    pub(super) fn ponder_hit(&mut self) {
        self.pondering = false;
        self.start_deadlines();
    }

    /// Records that the engine was told to stop, and has this long to answer.
    pub(super) fn stop(&mut self, limit: Duration) {
        self.pondering = false;
        self.stop_at = None;
        self.must_answer_at = Some(Instant::now() + limit);
    }

    /// Returns when something is due that the engine has to do.
    pub(super) fn next_deadline(&self) -> Option<Instant> {
        let silent = self.watch.deadline().map(|(at, _)| at);
        self.must_answer_at.or(self.stop_at).or(silent)
    }

    /// Returns what exceeds the limits in a report, unless the search has already been told to
    /// stop.
    fn check_report(&mut self, info: &Info) -> Option<Overrun> {
        let overrun = self.watch.check_report(info, Instant::now());
        overrun.filter(|_| self.must_answer_at.is_none())
    }

    /// Returns the error for a move that is overdue.
    fn overdue_error(&self, limit: Duration) -> EngineError {
        match self.overrun {
            Some(Overrun::Silence(silence)) => EngineError::Hung { silence },
            _ => EngineError::NoBestMove { limit },
        }
    }

    /// Returns the move that came too early, once it is due.
    pub(super) fn take_early(&mut self) -> Option<BestMove> {
        if self.pondering {
            None
        } else {
            self.early.take()
        }
    }
}

impl Engine {
    /// Tells a search to stop when its time is over, and gives up on one that does not obey.
    pub(super) fn enforce_deadlines(&mut self, now: Instant) -> Result<(), EngineError> {
        let Some(search) = &self.search else {
            return Ok(());
        };
        if search.must_answer_at.is_some_and(|at| now >= at) {
            let error = search.overdue_error(self.deadlines.stop);
            return Err(self.fail(error));
        }
        if search.must_answer_at.is_some() {
            return Ok(());
        }
        if search.stop_at.is_some_and(|at| now >= at) {
            return self.stop();
        }
        match search.watch.deadline() {
            Some((at, silence)) if now >= at => self.stop_for(Overrun::Silence(silence)),
            _ => Ok(()),
        }
    }

    /// Tells a search to stop that exceeds its limits.
    fn stop_for(&mut self, overrun: Overrun) -> Result<(), EngineError> {
        if let Some(search) = &mut self.search {
            search.overrun = Some(overrun);
        }
        self.add_notice(Notice::Overrun(overrun));
        self.stop()
    }

    /// Handles a reply. Returns what it means for the caller, if anything.
    pub(super) fn handle_reply(
        &mut self,
        reply: Reply,
    ) -> Result<Option<SearchEvent>, EngineError> {
        let Some(search) = &mut self.search else {
            self.handle_unasked_reply(&reply);
            return Ok(None);
        };
        match reply {
            Reply::Info(info) => {
                let pv = info.legal_pv(&search.position);
                let overrun = search.check_report(&info);
                let is_flooded = !search.flooded && self.process.inbox().dropped() > search.dropped;
                if is_flooded {
                    search.flooded = true;
                    self.add_notice(Notice::Flood);
                }
                if let Some(overrun) = overrun {
                    self.stop_for(overrun)?;
                }
                Ok(Some(SearchEvent::Info(SearchInfo { info, pv })))
            }
            Reply::BestMove(said) if search.early.is_none() => {
                let reply = self.check_best_move(said)?;
                Ok(self.finish_search(reply))
            }
            Reply::BadBestMove(text) if search.early.is_none() => {
                let reason = "that is not two squares".to_owned();
                Err(self.fail(EngineError::IllegalMove { text, reason }))
            }
            reply => {
                self.handle_unasked_reply(&reply);
                Ok(None)
            }
        }
    }

    /// Ends the search with its move, unless it is pondering: then the move waits.
    fn finish_search(&mut self, reply: BestMove) -> Option<SearchEvent> {
        match &mut self.search {
            Some(search) if search.pondering => {
                search.early = Some(reply);
                None
            }
            _ => {
                self.search = None;
                Some(SearchEvent::BestMove(reply))
            }
        }
    }

    /// Checks the move an engine chose against the position.
    fn check_best_move(&mut self, said: BestMove<UciMove>) -> Result<BestMove, EngineError> {
        let Some(search) = &self.search else {
            return Err(EngineError::Busy);
        };
        match said.best {
            None if search.position.has_legal_move() => Err(self.fail(EngineError::NoMove)),
            None => Ok(BestMove::NONE),
            Some(text) => match search.position.resolve_uci(text) {
                Ok(best) => Ok(BestMove {
                    best: Some(best),
                    ponder: Engine::legal_ponder(search, best, said.ponder),
                }),
                Err(reason) => Err(self.fail(EngineError::IllegalMove {
                    text: text.to_string(),
                    reason: reason.to_string(),
                })),
            },
        }
    }
}
