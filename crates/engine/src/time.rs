//! Time management: how long to search for one move.

use std::time::Duration;

use tabiya_rules::Color;
use tabiya_uci::Go;

/// The expected number of moves to go in a game, if it is not given.
const MOVES_TO_GO: u32 = 30;
/// Time kept in reserve, in multiples of the move overhead.
const RESERVE_OVERHEADS: u32 = 25;
/// When the overheads of the moves to come exceed the time left, a move takes this fraction of the clock, so that the clock
/// lasts however long the game is.
const LOW_TIME_MOVES: u32 = 512;
/// The hard limit, as a multiple of the soft limit.
const HARD_PER_SOFT: u32 = 4;
/// The hard limit is at least this fraction of the clock: an unusually long first iteration may use it.
const LOW_TIME_HARD_SHARE: u32 = 32;
/// The shortest hard limit: time for a first iteration in most positions. The soft limit may be less.
const MIN_TIME: Duration = Duration::from_micros(500);

/// The budget of a `go` whose limits are unreadable or concern only the other side: somebody waits for a move.
const FALLBACK: Budget = Budget::exactly(Duration::from_secs(1));

/// The time for one move.
#[doc(alias = "time_management")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Budget {
    /// The time after which no new iteration is started, scaled by how stable the best move has been. `None` to use all of
    /// the hard limit.
    pub soft: Option<Duration>,
    /// The time after which the search is stopped.
    pub hard: Duration,
}

/// A player's clock before a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// The time left.
    pub left: Duration,
    /// The time added with each move.
    pub increment: Duration,
    /// The number of moves until the next time control; `None` for the rest of the game.
    pub moves_to_go: Option<u32>,
}

impl Budget {
    /// A fixed time for the move.
    #[must_use]
    pub const fn exactly(time: Duration) -> Budget {
        Budget {
            soft: None,
            hard: time,
        }
    }

    /// A share of a clock. The overhead is the time that each move loses between the engine and the clock.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tabiya_engine::{Budget, Clock};
    ///
    /// let clock = Clock {
    ///     left: Duration::from_secs(60),
    ///     increment: Duration::ZERO,
    ///     moves_to_go: None,
    /// };
    /// let budget = Budget::of_clock(&clock, Duration::from_millis(10));
    /// assert!(budget.soft.unwrap() < budget.hard && budget.hard < clock.left);
    /// ```
    #[must_use]
    pub fn of_clock(clock: &Clock, overhead: Duration) -> Budget {
        // A reserve stays on the clock: a busy machine can delay a move by more than the overhead.
        let left = clock.left.saturating_sub(overhead);
        let safe = left.saturating_sub(overhead.saturating_mul(RESERVE_OVERHEADS).min(left / 2));
        let moves = clock
            .moves_to_go
            .unwrap_or(MOVES_TO_GO)
            .clamp(1, MOVES_TO_GO);
        // Every move to come costs the overhead, and half of its increment is used.
        let planned = clock
            .left
            .saturating_add(clock.increment.saturating_mul(moves - 1) / 2)
            .saturating_sub(overhead.saturating_mul(moves + 2));
        let soft = (planned / moves).max(clock.left / LOW_TIME_MOVES);
        let hard = match moves {
            1 => safe,
            _ => soft
                .saturating_mul(HARD_PER_SOFT)
                .max(clock.left / LOW_TIME_HARD_SHARE)
                .min(safe / 2),
        };
        let hard = hard.max(MIN_TIME);
        Budget {
            soft: Some(soft.min(hard)),
            hard,
        }
    }
}

/// How long a `go` may search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SearchTime {
    /// Until it is stopped.
    Infinite,
    /// Until another limit, such as a depth, ends it.
    Unlimited,
    Limited(Budget),
}

impl SearchTime {
    /// The time of a `go`; `unreadable` if a part of it was not understood.
    pub(crate) fn of(go: &Go, turn: Color, overhead: Duration, unreadable: bool) -> SearchTime {
        if go.infinite {
            return SearchTime::Infinite;
        }
        match budget(go, turn, overhead) {
            Some(budget) => SearchTime::Limited(budget),
            None if go.depth.is_some() || go.nodes.is_some() || go.mate.is_some() => {
                SearchTime::Unlimited
            }
            None if go.has_limit() || unreadable => SearchTime::Limited(FALLBACK),
            None => SearchTime::Infinite,
        }
    }

    pub(crate) fn budget(self) -> Option<Budget> {
        match self {
            SearchTime::Infinite | SearchTime::Unlimited => None,
            SearchTime::Limited(budget) => Some(budget),
        }
    }
}

/// The budget of a `go`; `None` if it has no time limit for the side to move.
fn budget(go: &Go, turn: Color, overhead: Duration) -> Option<Budget> {
    if let Some(time) = go.move_time {
        return Some(Budget::exactly(time.saturating_sub(overhead).max(MIN_TIME)));
    }
    let clock = Clock {
        left: go.time[turn]?,
        increment: go.increment[turn],
        moves_to_go: go.moves_to_go,
    };
    Some(Budget::of_clock(&clock, overhead))
}

#[cfg(test)]
mod tests {
    //! The budget never exceeds the clock, and a whole game does not either.

    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(10);

    #[test]
    fn a_search_is_infinite_only_if_nothing_limits_it() {
        let of = |go: &Go, unreadable| SearchTime::of(go, Color::White, OVERHEAD, unreadable);
        assert_eq!(of(&Go::new(), false), SearchTime::Infinite);
        assert_eq!(of(&Go::new(), true), SearchTime::Limited(FALLBACK));
        assert_eq!(of(&Go::new().with_depth(3), false), SearchTime::Unlimited);
        // A clock of the other side alone.
        let mut go = Go::new();
        go.time.black = Some(Duration::from_secs(60));
        assert_eq!(of(&go, false), SearchTime::Limited(FALLBACK));
        go.infinite = true;
        assert_eq!(of(&go, true), SearchTime::Infinite);
    }

    #[test]
    fn no_move_takes_more_than_the_clock_has() {
        for left in [0, 1, 5, 50, 100, 1000, 60_000, 1 << 40] {
            for increment in [0, 10, 1000, 1 << 40] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let mut go = Go::new().with_moves_to_go(moves_to_go);
                    go.time.white = Some(Duration::from_millis(left));
                    go.increment.white = Duration::from_millis(increment);
                    let budget_for = |turn| budget(&go, turn, OVERHEAD);
                    let time = budget_for(Color::White).expect("a clock");
                    let soft = time.soft.expect("a soft limit");
                    assert!(soft <= time.hard);
                    assert!(time.hard <= Duration::from_millis(left.max(1)));
                    assert_eq!(budget_for(Color::Black), None);
                }
            }
        }
    }

    #[test]
    fn a_game_of_the_longest_moves_stays_within_its_time() {
        for (left, increment, moves_to_go) in [
            (5000, 50, None),
            (500, 10, None),
            (100, 0, None),
            (1000, 0, Some(40)),
        ] {
            let mut clock = Clock {
                left: Duration::from_millis(left),
                increment: Duration::from_millis(increment),
                moves_to_go,
            };
            for _ in 0..200 {
                let hard = Budget::of_clock(&clock, OVERHEAD).hard;
                assert!(hard <= clock.left.max(MIN_TIME), "{clock:?}");
                clock.left = clock.left.saturating_sub(hard) + clock.increment;
                clock.moves_to_go = clock.moves_to_go.map(|moves| match moves {
                    0 | 1 => 40,
                    more => more - 1,
                });
                if clock.moves_to_go == Some(40) {
                    clock.left += Duration::from_millis(left);
                }
            }
        }
    }

    #[test]
    fn a_long_game_without_increment_is_not_lost_on_time() {
        // What a move really costs beyond its budget, on an idle machine.
        const REAL_OVERHEAD: Duration = Duration::from_micros(700);
        for (left, increment, moves) in [(1000, 0, 300), (100, 1, 500), (10_000, 0, 400)] {
            let mut clock = Clock {
                left: Duration::from_millis(left),
                increment: Duration::from_millis(increment),
                moves_to_go: None,
            };
            for number in 0..moves {
                let budget = Budget::of_clock(&clock, OVERHEAD);
                // Most searches end near the soft limit; one in twenty uses all of the hard one.
                let soft = budget.soft.expect("a soft limit");
                let search = if number % 20 == 19 { budget.hard } else { soft };
                let used = search + REAL_OVERHEAD;
                assert!(used < clock.left, "{left} ms: move {number} {clock:?}");
                clock.left = clock.left - used + clock.increment;
            }
        }
    }

    #[test]
    fn the_budget_shrinks_with_the_clock() {
        let soft = |left: u64| {
            let clock = Clock {
                left: Duration::from_millis(left),
                increment: Duration::ZERO,
                moves_to_go: None,
            };
            Budget::of_clock(&clock, OVERHEAD)
                .soft
                .expect("a soft limit")
        };
        for left in 1..2_000 {
            assert!(soft(left) <= soft(left + 1), "{left}");
            assert!(soft(left) <= Duration::from_millis(left) / 20, "{left}");
        }
        assert!(soft(100) < Duration::from_millis(1));
        assert!(soft(5_000) > Duration::from_millis(100));
    }

    #[test]
    fn movetime_is_used_up() {
        let go = Go::new().with_move_time(Duration::from_millis(300));
        let expected = Budget::exactly(Duration::from_millis(290));
        assert_eq!(budget(&go, Color::Black, OVERHEAD), Some(expected));
    }
}
