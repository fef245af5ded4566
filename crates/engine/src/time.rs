//! How long to think about one move.

use std::time::Duration;

use tabiya_rules::Color;
use tabiya_uci::Go;

/// Moves a game is expected to go on for, where nobody says.
const MOVES_LEFT: u32 = 30;
/// So many times the overhead is kept in reserve.
const RESERVE: u32 = 25;
/// No move takes less: there is always time for a first look.
const LEAST: Duration = Duration::from_millis(1);

/// A fallback for a `go` whose limits cannot be read or are the other side's only: an interface waits for a move.
pub(crate) const FALLBACK: Budget = Budget::exactly(Duration::from_secs(1));

/// The time for one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// What a move usually takes: less for an easy one, more for a hard one. `None` to use all there is.
    pub usual: Option<Duration>,
    /// What it never exceeds.
    pub most: Duration,
}

/// What a player's clock says before a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// The time that is left.
    pub left: Duration,
    /// What is added for each move.
    pub increment: Duration,
    /// How many moves it has to last for; `None` for the rest of the game.
    pub moves_to_go: Option<u32>,
}

impl Budget {
    /// All of a time.
    #[must_use]
    pub const fn exactly(time: Duration) -> Budget {
        Budget {
            usual: None,
            most: time,
        }
    }

    /// A share of a clock. The overhead is what each move loses on its way.
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
    /// assert!(budget.usual.unwrap() < budget.most && budget.most < clock.left);
    /// ```
    #[must_use]
    pub fn of_clock(clock: &Clock, overhead: Duration) -> Budget {
        // The overhead is lost for every move, and the last of the time is never planned with: a machine that does many
        // things at once can keep a move waiting for longer than the overhead.
        let left = clock.left.saturating_sub(overhead).max(LEAST);
        let safe = left.saturating_sub(overhead.saturating_mul(RESERVE).min(left / 2));
        let moves = clock.moves_to_go.unwrap_or(MOVES_LEFT).clamp(1, MOVES_LEFT);
        let usual = (safe / moves).saturating_add(clock.increment / 2);
        let most = match moves {
            1 => safe,
            _ => usual.saturating_mul(4).min(safe / 2),
        };
        let most = most.max(LEAST);
        Budget {
            usual: Some(usual.clamp(LEAST, most)),
            most,
        }
    }
}

/// The time for a move; `None` if the clock has nothing to say.
pub(crate) fn budget(go: &Go, turn: Color, overhead: Duration) -> Option<Budget> {
    if let Some(time) = go.move_time {
        return Some(Budget::exactly(time.saturating_sub(overhead).max(LEAST)));
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
                    let usual = time.usual.expect("a usual time");
                    assert!(usual <= time.most && usual >= LEAST);
                    assert!(time.most <= Duration::from_millis(left.max(1)));
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
                let most = Budget::of_clock(&clock, OVERHEAD).most;
                assert!(most <= clock.left.max(LEAST), "{clock:?}");
                clock.left = clock.left.saturating_sub(most) + clock.increment;
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
    fn a_time_for_the_move_is_used_up() {
        let go = Go {
            move_time: Some(Duration::from_millis(300)),
            ..Go::default()
        };
        let expected = Budget::exactly(Duration::from_millis(290));
        assert_eq!(budget(&go, Color::Black, OVERHEAD), Some(expected));
    }
}
