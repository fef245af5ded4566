//! Watches searches without a time limit. An engine with a limit on nodes or depth may take as long as it really needs;
//! one that exceeds the limit, or falls silent, is told to stop.

use std::fmt;
use std::time::{Duration, Instant};

use crate::command::Go;
use crate::reply::Info;

/// The factor by which an engine may exceed its nodes: engines check the limit only now and then, each thread for
/// itself.
const MAX_NODES_FACTOR: u64 = 2;
/// An allowance in nodes on top, which matters for small limits.
const NODES_ALLOWANCE: u64 = 10_000;
/// How long an engine may be silent, as a multiple of the time it has searched: each depth takes longer than all before
/// it, and some engines report only at the end of a depth.
const MAX_SILENCE_FACTOR: u32 = 4;

/// Why a search without a time limit was told to stop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Overrun {
    /// It searched far more nodes than it was allowed.
    Nodes {
        /// The limit.
        asked: u64,
        /// The nodes it reported.
        reached: u64,
    },
    /// It searched deeper than it was asked to.
    Depth {
        /// The depth it was asked for.
        asked: u32,
        /// The depth it reported.
        reached: u32,
    },
    /// It sent no report for this long.
    Silence(Duration),
}

impl fmt::Display for Overrun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Overrun::Nodes { asked, reached } => write!(
                f,
                "The engine was asked for {asked} positions and looked at {reached}"
            ),
            Overrun::Depth { asked, reached } => write!(
                f,
                "The engine was asked for depth {asked} and went on to depth {reached}"
            ),
            Overrun::Silence(time) => write!(f, "The engine printed nothing useful for {time:?}"),
        }?;
        f.write_str("; it was told to stop.")
    }
}

/// The limits of a search, and when the last report came.
#[derive(Debug)]
pub(super) struct Watch {
    nodes: Option<u64>,
    depth: Option<u32>,
    /// How long it may be silent; `None` if a time limit ends the search, or nothing does.
    silence: Option<Duration>,
    /// When the search began, and when the last report of progress came; `None` before it has begun.
    heard: Option<(Instant, Instant)>,
    /// The greatest number of nodes and the greatest depth of the reports.
    reached: (u64, u32),
}

impl Watch {
    pub(super) fn new(go: &Go, has_time: bool, silence: Duration) -> Watch {
        Watch {
            nodes: go.nodes.filter(|_| !go.infinite),
            depth: go.depth.filter(|_| !go.infinite),
            silence: (go.has_limit() && !has_time).then_some(silence),
            heard: None,
            reached: (0, 0),
        }
    }

    /// Begins to watch: the search begins now.
    pub(super) fn begin(&mut self, now: Instant) {
        self.heard = Some((now, now));
    }

    /// Checks a report, and returns what exceeds the limits.
    pub(super) fn check_report(&mut self, info: &Info, now: Instant) -> Option<Overrun> {
        let (_, heard) = self.heard.as_mut()?;
        let (nodes, depth) = (info.nodes.unwrap_or(0), info.depth.unwrap_or(0));
        // A report that repeats itself is no progress. If nodes are the limit, reports without a node count do not show
        // that the engine keeps to it.
        if nodes > self.reached.0 || (depth > self.reached.1 && self.nodes.is_none()) {
            *heard = now;
        }
        self.reached = (self.reached.0.max(nodes), self.reached.1.max(depth));
        let nodes = self.nodes.zip(info.nodes).filter(|(asked, reached)| {
            *reached
                > asked
                    .saturating_mul(MAX_NODES_FACTOR)
                    .saturating_add(NODES_ALLOWANCE)
        });
        let depth = self.depth.zip(info.depth);
        let depth = depth.filter(|(asked, reached)| reached > asked);
        let nodes = nodes.map(|(asked, reached)| Overrun::Nodes { asked, reached });
        nodes.or_else(|| depth.map(|(asked, reached)| Overrun::Depth { asked, reached }))
    }

    /// When the engine has been silent for too long, and how long that is.
    pub(super) fn deadline(&self) -> Option<(Instant, Duration)> {
        let (begun, heard) = self.heard?;
        let step = (heard - begun).saturating_mul(MAX_SILENCE_FACTOR);
        let silence = self.silence?.max(Duration::from_secs(step.as_secs()));
        Some((heard.checked_add(silence)?, silence))
    }
}

#[cfg(test)]
mod tests {
    //! An honest search is left alone, however slow it is; any other is noticed.

    use super::*;

    const SILENCE: Duration = Duration::from_secs(60);

    fn info(nodes: impl Into<Option<u64>>, depth: impl Into<Option<u32>>) -> Info {
        Info {
            nodes: nodes.into(),
            depth: depth.into(),
            ..Info::default()
        }
    }

    fn by(nodes: impl Into<Option<u64>>, depth: impl Into<Option<u32>>) -> Go {
        Go {
            nodes: nodes.into(),
            depth: depth.into(),
            ..Go::default()
        }
    }

    fn begun(go: &Go, now: Instant) -> Watch {
        let mut watch = Watch::new(go, false, SILENCE);
        assert_eq!(watch.deadline(), None, "it has not begun");
        watch.begin(now);
        watch
    }

    #[test]
    fn what_is_beyond_the_limit_is_noticed() {
        let now = Instant::now();
        let mut watch = begun(&by(1000, 5), now);
        assert_eq!(watch.check_report(&info(12_000, 5), now), None);
        let nodes = Overrun::Nodes {
            asked: 1000,
            reached: 12_001,
        };
        assert_eq!(watch.check_report(&info(12_001, 5), now), Some(nodes));
        let depth = Overrun::Depth {
            asked: 5,
            reached: 6,
        };
        assert_eq!(watch.check_report(&info(None, 6), now), Some(depth));
        let mut watch = begun(&by(u64::MAX, None), now);
        assert_eq!(watch.check_report(&info(u64::MAX, 200), now), None);
        let infinite = Go {
            infinite: true,
            ..by(1, 1)
        };
        let mut watch = begun(&infinite, now);
        assert_eq!(watch.check_report(&info(u64::MAX, 200), now), None);
        assert_eq!(watch.deadline(), None);
    }

    #[test]
    fn an_engine_may_be_silent_for_longer_the_longer_it_thinks() {
        let now = Instant::now();
        let after = |seconds| now + Duration::from_secs(seconds);
        let mut watch = begun(&by(None, 40), now);
        assert_eq!(watch.deadline(), Some((after(60), SILENCE)));
        assert_eq!(watch.check_report(&info(None, 10), after(5)), None);
        assert_eq!(watch.deadline(), Some((after(65), SILENCE)));
        assert_eq!(watch.check_report(&info(7, None), after(50)), None);
        let silence = Duration::from_secs(200);
        assert_eq!(watch.deadline(), Some((after(250), silence)));
        assert_eq!(watch.check_report(&info(None, None), after(70)), None);
        assert_eq!(watch.deadline(), Some((after(250), silence)));
    }

    #[test]
    fn only_positions_count_where_they_are_the_limit() {
        let now = Instant::now();
        let mut watch = begun(&by(1000, None), now);
        assert_eq!(watch.check_report(&info(None, 30), now + SILENCE), None);
        assert_eq!(watch.deadline(), Some((now + SILENCE, SILENCE)));
    }

    #[test]
    fn reports_that_repeat_themselves_are_silence() {
        let now = Instant::now();
        for go in [by(1000, None), by(None, 40)] {
            let mut watch = begun(&go, now);
            for _ in 0..3 {
                assert_eq!(watch.check_report(&info(5, 1), now), None);
                assert_eq!(watch.check_report(&info(5, 1), now + SILENCE), None);
                assert_eq!(watch.deadline(), Some((now + SILENCE, SILENCE)));
            }
        }
    }

    #[test]
    fn a_time_and_no_limit_need_no_watch() {
        let now = Instant::now();
        let mut watch = Watch::new(&by(1000, None), true, SILENCE);
        watch.begin(now);
        assert_eq!(watch.deadline(), None);
        assert_eq!(begun(&Go::default(), now).deadline(), None);
    }
}
