//! How long to think about one move.

use std::time::Duration;

use tabiya_rules::Color;
use tabiya_uci::Go;

/// Moves a game is expected to go on for, where nobody says.
const MOVES_LEFT: u32 = 30;

/// A fallback for a `go` whose limits cannot be read or are the other side's only: an interface waits for a move.
pub(crate) const FALLBACK: Duration = Duration::from_secs(1);

/// The time for a move; `None` if the clock has nothing to say.
pub(crate) fn budget(go: &Go, turn: Color, overhead: Duration) -> Option<Duration> {
    const LEAST: Duration = Duration::from_millis(1);
    if let Some(time) = go.move_time {
        return Some(time.saturating_sub(overhead).max(LEAST));
    }
    let left = go.time[turn]?;
    // The overhead is lost for every move, and the last of the time is never spent.
    let safe = left.saturating_sub(overhead).max(LEAST) * 9 / 10;
    let moves = go.moves_to_go.unwrap_or(MOVES_LEFT).clamp(1, MOVES_LEFT);
    let share = safe / moves + go.increment[turn] * 3 / 4;
    Some(share.min(safe).max(LEAST))
}

#[cfg(test)]
mod tests {
    //! The budget never exceeds the clock.

    use super::*;

    #[test]
    fn no_move_takes_more_than_the_clock_has() {
        let overhead = Duration::from_millis(10);
        for left in [0, 1, 5, 50, 100, 1000, 60_000, 1 << 40] {
            for increment in [0, 10, 1000, 1 << 40] {
                for moves_to_go in [None, Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let mut go = Go {
                        moves_to_go,
                        ..Go::default()
                    };
                    go.time.white = Some(Duration::from_millis(left));
                    go.increment.white = Duration::from_millis(increment);
                    let time = budget(&go, Color::White, overhead).expect("a clock");
                    assert!(time <= Duration::from_millis(left.max(1)));
                    assert!(time >= Duration::from_micros(900));
                    assert_eq!(budget(&go, Color::Black, overhead), None);
                }
            }
        }
    }
}
