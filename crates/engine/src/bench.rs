//! A fixed search whose node count is the same on every machine: it changes only when the search does.

use std::time::Duration;

use tabiya_rules::MoveHistory;
use tabiya_rules::Position;

use crate::searcher::{Control, Request, Searcher};

/// The depth of each search.
const DEPTH: u32 = 11;

/// Typical openings, middlegames and endgames.
const POSITIONS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/pp1ppppp/2n5/2p5/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 3",
    "r2q1rk1/pp2bppp/2npbn2/4p3/4P3/1NN1BP2/PPPQ2PP/2KR1B1R b - - 0 10",
    "2rr2k1/pp3ppp/1qn1pn2/3p4/3P4/1PN1PN2/P4PPP/2RQ1RK1 w - - 0 15",
    "8/5pk1/4p1p1/1p1pP2p/1P1P1P1P/4K1P1/8/8 w - - 0 40",
    "8/8/4k3/2R5/5p2/4rP2/5KP1/8 b - - 0 50",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    "6k1/5ppp/8/8/8/8/r4PPP/3R2K1 w - - 0 30",
];

/// The result of a bench.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Bench {
    /// Nodes searched.
    pub nodes: u64,
    /// The time it took.
    pub time: Duration,
}

impl Bench {
    /// Nodes per second.
    #[must_use]
    pub fn nodes_per_second(&self) -> u64 {
        per_second(self.nodes, self.time)
    }
}

impl std::fmt::Display for Bench {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} nodes {} nps", self.nodes, self.nodes_per_second())
    }
}

/// The number per second, in whole numbers.
pub(crate) fn per_second(count: u64, time: Duration) -> u64 {
    let micros = time.as_micros().max(1);
    u64::try_from(u128::from(count) * 1_000_000 / micros).unwrap_or(u64::MAX)
}

/// Searches some fixed positions to a fixed depth. A control that is stopped cuts it short.
///
/// ```
/// use tabiya_engine::{Control, AlphaBeta, bench};
///
/// let first = bench(&mut AlphaBeta::default(), &Control::new());
/// let second = bench(&mut AlphaBeta::default(), &Control::new());
/// assert_eq!(first.nodes, second.nodes);
/// ```
pub fn bench(searcher: &mut dyn Searcher, control: &Control) -> Bench {
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    for fen in POSITIONS {
        // A test checks that they are valid.
        let Ok(position) = Position::from_fen(fen) else {
            continue;
        };
        searcher.new_game();
        let request = Request::new(MoveHistory::new(position)).with_depth(DEPTH);
        let mut last = 0;
        // Only the search is timed, not the clearing of the table.
        let start = control.elapsed();
        searcher.search(&request, control, &mut |report| last = report.nodes);
        time += control.elapsed().saturating_sub(start);
        nodes += last;
    }
    Bench { nodes, time }
}

#[cfg(test)]
mod tests {
    //! The positions are valid, and the count is reproducible.

    use super::*;
    use crate::AlphaBeta;

    #[test]
    fn the_positions_are_valid_and_the_count_repeats() {
        for fen in POSITIONS {
            assert!(
                Position::from_fen(fen).is_ok_and(|p| p.has_legal_move()),
                "{fen}"
            );
        }
        let counts: Vec<u64> = (0..3)
            .map(|_| bench(&mut AlphaBeta::default(), &Control::new()).nodes)
            .collect();
        // The same in every build and on every machine. A commit that changes the search changes it, and says so.
        assert_eq!(counts, [139_509; 3]);
    }
}
