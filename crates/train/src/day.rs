//! Moments, and the day of training: it begins at 04:00 where the player is, so that an evening after midnight still counts.

/// The seconds of a day.
const DAY: i64 = 86_400;

/// When the day of training begins, in seconds after midnight.
const BEGINS: i64 = 4 * 3600;

/// The latest time that is read: the end of the year 9999.
pub(crate) const MAX_TIME: i64 = 253_402_300_799;

/// The greatest offset from UTC that is read, in minutes.
pub(crate) const MAX_OFFSET: i16 = 18 * 60;

/// A moment on the player's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment {
    /// Milliseconds since the beginning of 1970, UTC.
    pub ms: i64,
    /// The offset from UTC in minutes.
    pub z: i16,
}

impl Moment {
    /// Seconds since the beginning of 1970, UTC.
    #[must_use]
    pub fn seconds(self) -> i64 {
        self.ms.div_euclid(1000).clamp(0, MAX_TIME)
    }

    /// The day of training.
    #[must_use]
    pub fn day(self) -> Day {
        Day::of(self.seconds(), self.z)
    }
}

/// A day of training, counted from 1 January 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(pub i64);

impl Day {
    /// The day of training of a time in seconds, at an offset from UTC in minutes.
    #[must_use]
    pub fn of(t: i64, z: i16) -> Day {
        Day((t + i64::from(z) * 60 - BEGINS).div_euclid(DAY))
    }

    /// The days since another one; 0 if that one is later.
    #[must_use]
    pub fn since(self, earlier: Day) -> u32 {
        u32::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0)
    }

    /// The day this many days later.
    #[must_use]
    pub fn after(self, days: u32) -> Day {
        Day(self.0.saturating_add(i64::from(days)))
    }
}
