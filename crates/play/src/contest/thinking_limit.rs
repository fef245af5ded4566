//! How long the players may think.

use std::fmt;
use std::time::Duration;

use tabiya_game::{Bonus, Session, TimeControl, Timestamp};
use tabiya_uci::Go;

use crate::opponents::limits;

/// How far a search may exceed the time for a move before it counts as a loss on time. The engine measures time with
/// its own clock, and the machine may be busy.
const MOVE_TIME_MARGIN: Duration = Duration::from_millis(1000);

/// How long the players may think. A bot with a level searches as its level says; a clock only stops it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThinkingLimit {
    /// On a clock.
    Clock(TimeControl),
    /// A fixed time for each move.
    MoveTime(Duration),
    /// A fixed number of nodes for each move.
    Nodes(u64),
    /// A fixed depth in plies for each move.
    Depth(u32),
}

impl ThinkingLimit {
    /// The clock of a game; unlimited for the other paces.
    pub(super) fn clock(&self) -> TimeControl {
        match self {
            ThinkingLimit::Clock(control) => control.clone(),
            ThinkingLimit::MoveTime(_) | ThinkingLimit::Nodes(_) | ThinkingLimit::Depth(_) => {
                TimeControl::UNLIMITED
            }
        }
    }

    /// The search limits of the side to move.
    pub(super) fn go(&self, session: &Session, now: Timestamp) -> Go {
        match self {
            ThinkingLimit::Clock(_) => limits::by_clock(session, now),
            ThinkingLimit::MoveTime(time) => Go::new().with_move_time(*time),
            ThinkingLimit::Nodes(nodes) => Go::new().with_nodes(*nodes),
            ThinkingLimit::Depth(depth) => Go::new().with_depth(*depth),
        }
    }

    /// Whether a move that took this long loses on time. With a clock the session decides.
    pub(super) fn is_too_late(&self, took: Duration) -> bool {
        match self {
            ThinkingLimit::MoveTime(time) => took > *time + MOVE_TIME_MARGIN,
            ThinkingLimit::Clock(_) | ThinkingLimit::Nodes(_) | ThinkingLimit::Depth(_) => false,
        }
    }

    /// The time that a move of the opening is counted as, so that the clocks are full again afterwards: the increment,
    /// but never all of the remaining time.
    pub(super) fn opening_move(&self, session: &Session, now: Timestamp) -> Duration {
        let ThinkingLimit::Clock(control) = self else {
            return Duration::ZERO;
        };
        let turn = session.turn();
        let bonus = control.period_after(session.moves_made(turn));
        let left = session.clock(now).left[turn].unwrap_or_default();
        match bonus.map(|period| period.bonus) {
            Some(Bonus::Increment(increment)) => {
                increment.min(left.saturating_sub(Duration::from_millis(1)))
            }
            Some(Bonus::None | Bonus::Delay(_) | Bonus::Bronstein(_)) | None => Duration::ZERO,
        }
    }
}

impl fmt::Display for ThinkingLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ThinkingLimit::Clock(control) => control.fmt(f),
            ThinkingLimit::MoveTime(time) => write!(f, "{} ms a move", time.as_millis()),
            ThinkingLimit::Nodes(nodes) => write!(f, "{nodes} nodes a move"),
            ThinkingLimit::Depth(depth) => write!(f, "depth {depth}"),
        }
    }
}

#[cfg(test)]
mod tests;
