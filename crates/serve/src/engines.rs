//! A fixed number of threads that search for all games. A game has at most one search for each purpose, so that the queues
//! cannot be longer than five times the number of games. Searches for a player's move come first.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tabiya_engine::{AlphaBeta, Control, Level, Searcher, Settings, think};
use tabiya_play::opponents::{EngineEvent, SearchRequest};
use tabiya_play::players::PlayerSpec;
use tabiya_play::threads::{self, NoThread};
use tabiya_rules::Color;
use tabiya_uci::{Go, SearchInfo};

use crate::config::Limits;

/// The transposition table of each thread, in MiB.
const HASH: usize = 8;

/// How often a search for several lines reports what it has found so far.
const NEWS: Duration = Duration::from_millis(300);

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchPurpose {
    /// A move of a player.
    Move,
    /// Hints and lines, for the person of a side.
    Advice(Color),
    /// The judgment of a game, for the person of a side.
    Judgment(Color),
}

/// Receives the reports of a search: the last one about each line, then its move.
pub(crate) type ReportListener = Box<dyn Fn(EngineEvent) + Send>;

/// The threads.
#[derive(Clone)]
pub(crate) struct Engines {
    shared: Arc<Shared>,
    clock: Duration,
    nodes: u64,
}

struct Shared {
    queue: Mutex<Queue>,
    wake: Condvar,
}

#[derive(Default)]
struct Queue {
    /// Searches for a player's move.
    moves: VecDeque<Job>,
    others: VecDeque<Job>,
    closed: bool,
}

impl Queue {
    fn of(&mut self, purpose: SearchPurpose) -> &mut VecDeque<Job> {
        match purpose {
            SearchPurpose::Move => &mut self.moves,
            SearchPurpose::Advice(_) | SearchPurpose::Judgment(_) => &mut self.others,
        }
    }
}

struct Job {
    game: u64,
    purpose: SearchPurpose,
    number: u64,
    lines: usize,
    level: Option<Level>,
    seed: u64,
    played: tabiya_rules::MoveHistory,
    go: Go,
    search: Arc<Search>,
    report: ReportListener,
}

/// The handle of a search. Dropping it stops the search, and nothing more is reported.
pub(crate) struct SearchHandle(Arc<Search>);

struct Search {
    control: Control,
    unwanted: AtomicBool,
}

impl Drop for SearchHandle {
    fn drop(&mut self) {
        self.0.unwanted.store(true, Ordering::Relaxed);
        self.0.control.stop();
    }
}

impl Engines {
    /// Starts the threads.
    pub(crate) fn start(limits: &Limits) -> Result<Engines, NoThread> {
        let shared = Arc::new(Shared {
            queue: Mutex::default(),
            wake: Condvar::new(),
        });
        for _ in 0..limits.engine_threads.max(1) {
            let shared = Arc::clone(&shared);
            threads::spawn(move || work(&shared))?;
        }
        Ok(Engines {
            shared,
            clock: limits.engine_clock,
            nodes: limits.engine_nodes,
        })
    }

    /// Queues a search. Returns `None` if the player is not a bot: only bots play here.
    pub(crate) fn think(
        &self,
        game: u64,
        purpose: SearchPurpose,
        request: &SearchRequest,
        seed: u64,
        report: ReportListener,
    ) -> Option<SearchHandle> {
        let level = match request.spec {
            PlayerSpec::Bot(level) => level,
            PlayerSpec::Human
            | PlayerSpec::Uci(_)
            | PlayerSpec::Named(_)
            | PlayerSpec::Remote(_) => return None,
        };
        let search = Arc::new(Search {
            control: Control::new(),
            unwanted: AtomicBool::new(false),
        });
        let mut queue = self.shared.lock();
        let jobs = queue.of(purpose);
        jobs.retain(|job| (job.game, job.purpose) != (game, purpose));
        jobs.push_back(Job {
            game,
            purpose,
            lines: request.lines,
            number: request.number,
            level,
            seed,
            played: request.played.clone(),
            go: self.bounded(request.go.clone()),
            search: Arc::clone(&search),
            report,
        });
        drop(queue);
        self.shared.wake.notify_one();
        Some(SearchHandle(search))
    }

    /// Limits a search, so that a clock that shows hours does not occupy a thread for minutes.
    fn bounded(&self, go: Go) -> Go {
        let mut go = go;
        let clock = self.clock;
        for left in [&mut go.time.white, &mut go.time.black] {
            *left = left.map(|left| left.min(clock));
        }
        for bonus in [&mut go.increment.white, &mut go.increment.black] {
            *bonus = (*bonus).min(clock / 30);
        }
        go.move_time = go.move_time.map(|time| time.min(clock / 20));
        go.nodes = Some(go.nodes.unwrap_or(u64::MAX).min(self.nodes));
        go
    }

    /// Ends the threads after their current searches.
    pub(crate) fn close(&self) {
        let mut queue = self.shared.lock();
        queue.closed = true;
        queue.moves.clear();
        queue.others.clear();
        drop(queue);
        self.shared.wake.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self) -> Option<Job> {
        let mut queue = self.lock();
        loop {
            if queue.closed {
                return None;
            }
            let moves = queue.moves.pop_front();
            match moves.or_else(|| queue.others.pop_front()) {
                Some(job) => return Some(job),
                None => {
                    let waited = self.wake.wait(queue);
                    queue = waited.unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }
}

fn work(shared: &Shared) {
    let mut searcher = AlphaBeta::default();
    while let Some(job) = shared.next() {
        if job.search.unwanted.load(Ordering::Relaxed) {
            continue;
        }
        // The moves of a level must not depend on other games.
        searcher.new_game();
        let settings = Settings::new()
            .with_hash(HASH)
            .with_level(job.level)
            .with_multi_pv(job.lines.max(1))
            .with_seed(job.seed);
        let mut news = LatestReports::new(&job);
        let control = &job.search.control;
        let reply = think(
            &mut searcher,
            &settings,
            &job.played,
            &job.go,
            control,
            &mut |info| news.take(info),
        );
        news.send();
        job.report(EngineEvent::Move(job.number, reply));
    }
}

impl Job {
    /// Reports an event, unless the search is no longer wanted.
    fn report(&self, event: EngineEvent) {
        if !self.search.unwanted.load(Ordering::Relaxed) {
            (self.report)(event);
        }
    }
}

/// The latest report about each line of a search. If there are several lines, they are sent from time to time.
struct LatestReports<'a> {
    job: &'a Job,
    latest: Vec<SearchInfo>,
    sent_at: Instant,
}

impl LatestReports<'_> {
    fn new(job: &Job) -> LatestReports<'_> {
        LatestReports {
            job,
            latest: Vec::new(),
            sent_at: Instant::now(),
        }
    }

    fn take(&mut self, info: SearchInfo) {
        let mut latest = self.latest.iter_mut();
        match latest.find(|known| known.rank() == info.rank()) {
            // A bound says less than the exact score before it.
            Some(known) if info.exact_score().is_none() && known.exact_score().is_some() => {}
            Some(known) => *known = info,
            None => self.latest.push(info),
        }
        if self.job.lines > 1 && self.sent_at.elapsed() >= NEWS {
            self.send();
        }
    }

    fn send(&mut self) {
        for info in self.latest.drain(..) {
            self.job.report(EngineEvent::Report(self.job.number, info));
        }
        self.sent_at = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The server limits every search, whatever the clock of the game shows and whatever is requested.
    #[test]
    fn no_search_gets_more_than_the_server_gives() {
        let limits = Limits {
            engine_threads: 1,
            engine_nodes: 1000,
            engine_clock: Duration::from_secs(60),
            ..Limits::default()
        };
        let engines = Engines::start(&limits).expect("a thread");
        let day = Duration::from_secs(86_400);
        let mut go = Go::default();
        go.time.white = Some(day);
        go.time.black = Some(day);
        go.increment.white = day;
        go.increment.black = day;
        go.move_time = Some(day);
        let go = engines.bounded(go);
        assert_eq!(go.time.white, Some(Duration::from_secs(60)));
        assert_eq!(go.time.black, Some(Duration::from_secs(60)));
        assert_eq!(go.increment.white, Duration::from_secs(2));
        assert_eq!(go.increment.black, Duration::from_secs(2));
        assert_eq!(go.move_time, Some(Duration::from_secs(3)));
        assert_eq!(go.nodes, Some(1000));
        // A smaller limit stays as it is.
        let mut small = Go::default();
        small.nodes = Some(5);
        assert_eq!(engines.bounded(small).nodes, Some(5));
        engines.close();
    }
}
