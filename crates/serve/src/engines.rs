//! A fixed number of threads that search for all games. A game has at most five searches, one for each purpose, so the queue
//! is bounded by the number of games.

use std::time::{Duration, Instant};

use tabiya_engine::{
    AlphaBeta, Control, SearchHandle, SearchPool, SearchPriority, Searcher, Settings, think,
};
use tabiya_play::opponents::{EngineEvent, SearchRequest};
use tabiya_play::players::PlayerSpec;
use tabiya_play::threads::NoThread;
use tabiya_uci::{Go, SearchInfo};

use crate::config::Limits;

/// The transposition table of each thread, in MiB.
const HASH: usize = 8;

/// How often a search for several lines reports what it has found so far.
const REPORT_INTERVAL: Duration = Duration::from_millis(300);

/// Receives the reports of a search: the last one about each line, then its move.
pub(crate) type ReportListener = Box<dyn Fn(EngineEvent) + Send>;

/// The threads, and the limits of their searches.
pub(crate) struct Engines {
    pool: SearchPool<AlphaBeta>,
    clock: Duration,
    nodes: u64,
}

impl Engines {
    /// Starts the threads.
    pub(crate) fn start(limits: &Limits) -> Result<Engines, NoThread> {
        let searchers = (0..limits.engine_threads.max(1)).map(|_| AlphaBeta::default());
        Ok(Engines {
            pool: SearchPool::start(searchers).map_err(|_| NoThread)?,
            clock: limits.engine_clock,
            nodes: limits.engine_nodes,
        })
    }

    /// Queues a search. Nothing is reported any more once its handle is dropped. Returns `None` if the player is not a bot:
    /// only bots play here.
    pub(crate) fn think(
        &self,
        priority: SearchPriority,
        request: &SearchRequest,
        seed: u64,
        listener: ReportListener,
    ) -> Option<SearchHandle> {
        let PlayerSpec::Bot(level) = request.spec else {
            return None;
        };
        let settings = Settings::new()
            .with_hash(HASH)
            .with_level(level)
            .with_multi_pv(request.lines.max(1))
            .with_seed(seed);
        let (number, played) = (request.number, request.played.clone());
        let go = self.bounded(request.go.clone());
        let search = move |searcher: &mut AlphaBeta, control: &Control| {
            // The moves of a level must not depend on other games.
            searcher.new_game();
            let listener = |event| {
                if !control.is_abandoned() {
                    listener(event);
                }
            };
            let mut reports = LatestReports::new(number, settings.multi_pv, &listener);
            let reply = think(searcher, &settings, &played, &go, control, &mut |info| {
                reports.take(info);
            });
            reports.send();
            listener(EngineEvent::Move(number, reply));
        };
        Some(self.pool.search(priority, search))
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
}

/// The latest report about each line of a search. If there are several lines, they are sent from time to time.
struct LatestReports<'a> {
    /// The number of the search.
    number: u64,
    /// How many lines it looks for.
    lines: usize,
    listener: &'a dyn Fn(EngineEvent),
    latest: Vec<SearchInfo>,
    sent_at: Instant,
}

impl LatestReports<'_> {
    fn new(number: u64, lines: usize, listener: &dyn Fn(EngineEvent)) -> LatestReports<'_> {
        LatestReports {
            number,
            lines,
            listener,
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
        if self.lines > 1 && self.sent_at.elapsed() >= REPORT_INTERVAL {
            self.send();
        }
    }

    fn send(&mut self) {
        for info in self.latest.drain(..) {
            (self.listener)(EngineEvent::Report(self.number, info));
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
    }
}
