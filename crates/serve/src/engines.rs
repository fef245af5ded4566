//! The threads that think for all games: a fixed number, whatever is asked of them. A game has one search at most for each
//! purpose, so that the queues are no longer than three times the list of games. Whoever plays comes before whoever advises.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tabiya_engine::{AlphaBeta, Control, Level, Searcher, Settings, think};
use tabiya_play::opponents::{EngineEvent, SearchRequest};
use tabiya_play::players::PlayerSpec;
use tabiya_play::threads::{self, NoThread};
use tabiya_uci::{Bound, Go, SearchInfo};

use crate::config::Limits;

/// The transposition table of each thread, in MiB.
const HASH: usize = 8;

/// How often a search for several lines tells what it has found so far.
const NEWS: Duration = Duration::from_millis(300);

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A move of a player.
    Move,
    /// Hints and lines.
    Advice,
    /// The judgment of a game.
    Judgment,
}

/// Takes what a search tells: its last reports, one for each line, then its move.
pub(crate) type Tell = Box<dyn Fn(EngineEvent) + Send>;

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
    /// Moves that somebody waits for.
    moves: VecDeque<Job>,
    others: VecDeque<Job>,
    closed: bool,
}

impl Queue {
    fn of(&mut self, purpose: Purpose) -> &mut VecDeque<Job> {
        match purpose {
            Purpose::Move => &mut self.moves,
            Purpose::Advice | Purpose::Judgment => &mut self.others,
        }
    }
}

struct Job {
    game: u64,
    purpose: Purpose,
    number: u64,
    lines: usize,
    level: Option<Level>,
    seed: u64,
    played: tabiya_rules::MoveHistory,
    go: Go,
    search: Arc<Search>,
    tell: Tell,
}

/// A search that was asked for. Dropping it ends the search, and nothing more is told.
pub(crate) struct Searching(Arc<Search>);

struct Search {
    control: Control,
    unwanted: AtomicBool,
}

impl Drop for Searching {
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

    /// Has a thread think as soon as one is free. Players that are no bots cannot be had here.
    pub(crate) fn think(
        &self,
        game: u64,
        purpose: Purpose,
        request: &SearchRequest,
        seed: u64,
        tell: Tell,
    ) -> Option<Searching> {
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
            tell,
        });
        drop(queue);
        self.shared.wake.notify_one();
        Some(Searching(search))
    }

    /// A clock that shows hours does not keep a thread for minutes.
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

    /// Ends the threads when they have done what they are doing.
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
        // What a level overlooks must not depend on other games.
        searcher.new_game();
        let settings = Settings::new()
            .with_hash(HASH)
            .with_level(job.level)
            .with_multi_pv(job.lines.max(1))
            .with_seed(job.seed);
        let mut news = News::new(&job);
        let control = &job.search.control;
        let reply = think(
            &mut searcher,
            &settings,
            &job.played,
            &job.go,
            control,
            &mut |info| news.take(info),
        );
        news.tell();
        job.tell(EngineEvent::Move(job.number, reply));
    }
}

impl Job {
    /// Tells something, if anybody still wants to know.
    fn tell(&self, event: EngineEvent) {
        if !self.search.unwanted.load(Ordering::Relaxed) {
            (self.tell)(event);
        }
    }
}

/// The latest report about each line of a search. Where there are several, they are told now and then.
struct News<'a> {
    job: &'a Job,
    latest: Vec<SearchInfo>,
    told: Instant,
}

impl News<'_> {
    fn new(job: &Job) -> News<'_> {
        News {
            job,
            latest: Vec::new(),
            told: Instant::now(),
        }
    }

    fn take(&mut self, info: SearchInfo) {
        let line = |info: &SearchInfo| info.info.multi_pv.unwrap_or(1);
        let exact = |info: &SearchInfo| {
            info.info
                .score
                .is_some_and(|score| score.bound == Bound::Exact)
        };
        match self
            .latest
            .iter_mut()
            .find(|known| line(known) == line(&info))
        {
            // A bound says less than the value before it.
            Some(known) if exact(&info) || !exact(known) => *known = info,
            Some(_) => {}
            None => self.latest.push(info),
        }
        if self.job.lines > 1 && self.told.elapsed() >= NEWS {
            self.tell();
        }
    }

    fn tell(&mut self) {
        for info in self.latest.drain(..) {
            self.job.tell(EngineEvent::Report(self.job.number, info));
        }
        self.told = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever clock a game has and whatever is asked for, a search has an end that the server chose.
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
        // Less than that stays as it is.
        let mut small = Go::default();
        small.nodes = Some(5);
        assert_eq!(engines.bounded(small).nodes, Some(5));
        engines.close();
    }
}
