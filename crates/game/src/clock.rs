//! Time controls, and the arithmetic of a clock. Nothing here reads a clock: the time is an argument.
//!
//! A control says how much time a side gets. What is left follows from the clock readings in the record and from
//! how long the side to move has been thinking.

mod text;

use core::num::NonZeroU32;
use core::ops::Add;
use core::time::Duration;

use tabiya_rules::{ByColor, Color};

pub use text::TimeControlError;

/// A moment, as the time since an origin that the caller chooses once.
///
/// Use any source that never goes backward. If it does, no time passes.
///
/// ```
/// use std::time::Instant;
/// use tabiya_game::Timestamp;
///
/// let begun = Instant::now();
/// let now = Timestamp::after_origin(begun.elapsed());
/// assert!(now >= Timestamp::ORIGIN);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp(Duration);

impl Timestamp {
    /// The origin itself.
    pub const ORIGIN: Timestamp = Timestamp(Duration::ZERO);

    /// Returns the moment this long after the origin.
    pub const fn after_origin(time: Duration) -> Timestamp {
        Timestamp(time)
    }

    /// Returns the moment this many milliseconds after the origin.
    pub const fn from_millis(milliseconds: u64) -> Timestamp {
        Timestamp(Duration::from_millis(milliseconds))
    }

    /// Returns the time from an earlier moment to this one; zero if that moment is not earlier.
    pub const fn since(self, earlier: Timestamp) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

impl Add<Duration> for Timestamp {
    type Output = Timestamp;

    fn add(self, time: Duration) -> Timestamp {
        Timestamp(self.0.saturating_add(time))
    }
}

/// The time a side gets back for each move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Bonus {
    /// Nothing.
    #[default]
    None,
    /// Time added after each move, whether it was used or not.
    Increment(Duration),
    /// US delay: the clock starts to run this long after the turn began.
    Delay(Duration),
    /// Bronstein delay: after each move, the time it took is given back, up to this much.
    Bronstein(Duration),
}

/// One stage of a time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Period {
    /// The number of moves after which the next period begins; `None` lasts to the end of the game.
    pub moves: Option<NonZeroU32>,
    /// The time a side gets when the period begins.
    pub time: Duration,
    /// What it gets for each move.
    pub bonus: Bonus,
}

/// How much time one side has for its moves.
///
/// Time controls are written as people write them, in minutes and seconds:
///
/// ```
/// use core::time::Duration;
/// use tabiya_game::TimeControl;
///
/// let blitz: TimeControl = "5+3".parse()?;
/// assert_eq!(blitz, TimeControl::increment(Duration::from_secs(300), Duration::from_secs(3))?);
/// let tournament: TimeControl = "40/90+30:30+30".parse()?;
/// assert_eq!(tournament.to_string(), "40/90+30:30+30");
/// assert_eq!(tournament.pgn(), "40/5400+30:1800+30");
/// # Ok::<(), tabiya_game::TimeControlError>(())
/// ```
///
/// A last period with a number of moves repeats. A control without any time to begin with starts with one bonus
/// instead.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TimeControl {
    /// Empty if there is no limit. Every period but the last has a number of moves.
    periods: Vec<Period>,
}

impl TimeControl {
    /// No limit.
    pub const UNLIMITED: TimeControl = TimeControl {
        periods: Vec::new(),
    };

    /// The most periods a control can have.
    pub const MAX_PERIODS: usize = 16;

    /// The longest time and the longest bonus a period can have: a thousand hours.
    pub const MAX_TIME: Duration = Duration::from_secs(3_600_000);

    /// Creates a control that gives all the time at once.
    ///
    /// # Errors
    /// Same as [`TimeControl::periods`].
    pub fn sudden_death(time: Duration) -> Result<TimeControl, TimeControlError> {
        TimeControl::periods(&[Period {
            moves: None,
            time,
            bonus: Bonus::None,
        }])
    }

    /// Creates a control that adds time after each move.
    ///
    /// # Errors
    /// Same as [`TimeControl::periods`].
    pub fn increment(time: Duration, increment: Duration) -> Result<TimeControl, TimeControlError> {
        TimeControl::periods(&[Period {
            moves: None,
            time,
            bonus: Bonus::Increment(increment),
        }])
    }

    /// Creates a control with these periods; without any, time is unlimited.
    ///
    /// # Errors
    /// Fails if a period other than the last has no number of moves, if a time exceeds [`TimeControl::MAX_TIME`],
    /// if a period has no time at all, or if there are more than [`TimeControl::MAX_PERIODS`].
    pub fn periods(periods: &[Period]) -> Result<TimeControl, TimeControlError> {
        if periods.len() > TimeControl::MAX_PERIODS {
            return Err(TimeControlError::TooManyPeriods);
        }
        let last = periods.len().saturating_sub(1);
        if periods[..last].iter().any(|period| period.moves.is_none()) {
            return Err(TimeControlError::PeriodWithoutMoves);
        }
        let mut control = TimeControl {
            periods: periods.to_vec(),
        };
        for period in &mut control.periods {
            let bonus = period.bonus.time();
            if period.time > TimeControl::MAX_TIME || bonus > TimeControl::MAX_TIME {
                return Err(TimeControlError::TooLong);
            }
            if bonus.is_zero() {
                period.bonus = Bonus::None;
            }
            if period.time.is_zero() && bonus.is_zero() {
                return Err(TimeControlError::NoTime);
            }
        }
        Ok(control)
    }

    /// Returns the periods, in order; none if time is unlimited.
    pub fn stages(&self) -> &[Period] {
        &self.periods
    }

    /// Returns whether time is unlimited.
    pub fn is_unlimited(&self) -> bool {
        self.periods.is_empty()
    }

    /// Returns what the clock shows before the first move; `None` if time is unlimited.
    pub fn initial(&self) -> Option<Duration> {
        let first = self.periods.first()?;
        Some(if first.time.is_zero() {
            first.bonus.time()
        } else {
            first.time
        })
    }

    /// Returns the period for the move that follows this many moves; `None` if time is unlimited.
    pub fn period_after(&self, moves: u32) -> Option<&Period> {
        self.locate(moves).map(|(period, _)| period)
    }

    /// Returns the time left on a clock after thinking for some time about the move that follows this many moves.
    /// It is zero if the flag has fallen.
    pub fn left(&self, reading: Duration, moves: u32, thought: Duration) -> Duration {
        reading.saturating_sub(self.running_part(moves, thought))
    }

    /// Returns what the clock shows after the move; `None` if the flag fell before it.
    pub fn after_move(&self, reading: Duration, moves: u32, thought: Duration) -> Option<Duration> {
        let left = self.left(reading, moves, thought);
        if left.is_zero() {
            return None;
        }
        let back = match self.period_after(moves).map(|period| period.bonus) {
            Some(Bonus::Increment(increment)) => increment,
            Some(Bonus::Bronstein(most)) => thought.min(most),
            Some(Bonus::Delay(_) | Bonus::None) | None => Duration::ZERO,
        };
        let made = moves.saturating_add(1);
        let next = match self.locate(made) {
            Some((period, 0)) => period.time,
            _ => Duration::ZERO,
        };
        Some(left.saturating_add(back).saturating_add(next))
    }

    /// Returns the part of the delay left before the clock starts to run.
    pub fn delay_left(&self, moves: u32, thought: Duration) -> Duration {
        match self.period_after(moves).map(|period| period.bonus) {
            Some(Bonus::Delay(delay)) => delay.saturating_sub(thought),
            _ => Duration::ZERO,
        }
    }

    /// Returns the part of the thinking time that counts against the clock.
    fn running_part(&self, moves: u32, thought: Duration) -> Duration {
        match self.period_after(moves).map(|period| period.bonus) {
            Some(Bonus::Delay(delay)) => thought.saturating_sub(delay),
            _ => thought,
        }
    }

    /// Returns the period after this many moves, and how many moves were made in it.
    fn locate(&self, moves: u32) -> Option<(&Period, u32)> {
        let (last, earlier) = self.periods.split_last()?;
        let mut moves = moves;
        for period in earlier {
            // The constructor checks that every period but the last has a number of moves.
            let length = period.moves.map_or(u32::MAX, NonZeroU32::get);
            if moves < length {
                return Some((period, moves));
            }
            moves -= length;
        }
        Some(match last.moves {
            Some(length) => (last, moves % length),
            // A lone sudden-death period begins only once, so nothing is added later.
            None => (last, moves),
        })
    }
}

impl Bonus {
    /// Returns the time of the bonus; zero for none.
    pub const fn time(self) -> Duration {
        match self {
            Bonus::None => Duration::ZERO,
            Bonus::Increment(time) | Bonus::Delay(time) | Bonus::Bronstein(time) => time,
        }
    }
}

/// What the two clocks show at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockFace {
    /// The time left to each side; `None` for a side without a limit.
    pub left: ByColor<Option<Duration>>,
    /// The side whose clock runs, or will start with the first accepted command about play; `None` if the game is paused
    /// or over, or if the side to move has no limit.
    pub running: Option<Color>,
    /// The part of a delay left before the running clock starts to count.
    pub delay: Duration,
}

impl ClockFace {
    /// Returns the time until the running flag falls.
    pub fn flag_in(&self) -> Option<Duration> {
        let running = self.running?;
        self.left[running].map(|left| left.saturating_add(self.delay))
    }
}
