//! Time management: how long to search for one move.

use std::time::Duration;

use tabiya_rules::Color;
use tabiya_uci::Go;

/// The expected number of moves to go in a game, if it is not given.
const MOVES_TO_GO: u32 = 30;
/// The reserve that is never planned with, in multiples of the move overhead.
const RESERVE_OVERHEADS: u32 = 25;
/// The least time for a move: enough for a first iteration.
const MIN_TIME: Duration = Duration::from_millis(1);

/// The budget of a `go` whose limits are unreadable or concern only the other side: the interface waits for a move.
pub(crate) const FALLBACK: Budget = Budget::exactly(Duration::from_secs(1));

/// The time for one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// The time after which no new iteration is started, scaled by how settled the best move is. `None` to use all of
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
        // The reserve is for a busy machine, which can delay a move by more than the overhead.
        let left = clock.left.saturating_sub(overhead).max(MIN_TIME);
        let safe = left.saturating_sub(overhead.saturating_mul(RESERVE_OVERHEADS).min(left / 2));
        let moves = clock
            .moves_to_go
            .unwrap_or(MOVES_TO_GO)
            .clamp(1, MOVES_TO_GO);
        let soft = (safe / moves).saturating_add(clock.increment / 2);
        let hard = match moves {
            1 => safe,
            _ => soft.saturating_mul(4).min(safe / 2),
        };
        let hard = hard.max(MIN_TIME);
        Budget {
            soft: Some(soft.clamp(MIN_TIME, hard)),
            hard,
        }
    }
}

/// The budget of a `go`; `None` if it has no time limit for the side to move.
pub(crate) fn budget(go: &Go, turn: Color, overhead: Duration) -> Option<Budget> {
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
    fn no_move_takes_more_than_the_clock_has() {
        for left in [0, 1, 5, 50, 100, 1000, 60_000, 1 << 40] {
            for increment in [0, 10, 1000, 1 << 40] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let mut go = Go {
                        moves_to_go,
                        ..Go::default()
                    };
                    go.time.white = Some(Duration::from_millis(left));
                    go.increment.white = Duration::from_millis(increment);
                    let budget_for = |turn| budget(&go, turn, OVERHEAD);
                    let time = budget_for(Color::White).expect("a clock");
                    let soft = time.soft.expect("a soft limit");
                    assert!(soft <= time.hard && soft >= MIN_TIME);
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
    fn movetime_is_used_up() {
        let go = Go {
            move_time: Some(Duration::from_millis(300)),
            ..Go::default()
        };
        let expected = Budget::exactly(Duration::from_millis(290));
        assert_eq!(budget(&go, Color::Black, OVERHEAD), Some(expected));
    }
}
