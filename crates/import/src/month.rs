//! Months and moments in UTC, as both sites write them.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A month, in which a file has its games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Month {
    year: u16,
    month: u8,
}

impl Month {
    /// `None` if there is no such month.
    pub(crate) fn new(year: &str, month: &str) -> Option<Month> {
        let (year, month) = (digits(year, 4)?, digits(month, 2)?);
        let month = u8::try_from(month).ok()?;
        (1..=12).contains(&month).then_some(Month { year, month })
    }

    /// The month as it is in file names: `2026-11`.
    pub(crate) fn named(name: &str) -> Option<Month> {
        let (year, month) = name.split_once('-')?;
        Month::new(year, month)
    }

    /// As chess.com has it in addresses: `2026/11`.
    pub(crate) fn path(self) -> String {
        format!("{:04}/{:02}", self.year, self.month)
    }

    /// When it begins, in seconds since 1970.
    pub(crate) fn begins(self) -> i64 {
        day_number(self.year.into(), self.month.into(), 1) * DAY
    }

    /// When the next one begins.
    fn ends(self) -> i64 {
        let (year, month) = match self.month {
            12 => (i64::from(self.year) + 1, 1),
            month => (i64::from(self.year), i64::from(month) + 1),
        };
        day_number(year, month, 1) * DAY
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
}

/// The number of seconds in a day.
const DAY: i64 = 86_400;

/// The day from which games are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Since {
    pub(crate) month: Month,
    /// When the day begins, in seconds since 1970.
    pub(crate) seconds: i64,
}

/// Text that is not a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a day such as 2026-11-01 is expected")]
pub struct BadDate;

impl FromStr for Since {
    type Err = BadDate;

    fn from_str(text: &str) -> Result<Since, BadDate> {
        let text = text.replace('-', ".");
        let (month, seconds) = moment(&text, "00:00:00").ok_or(BadDate)?;
        Ok(Since { month, seconds })
    }
}

/// The month and the second since 1970 of a date and a time as PGN has them: `2026.11.15` and `20:45:02`.
pub(crate) fn moment(date: &str, time: &str) -> Option<(Month, i64)> {
    let mut parts = date.split('.');
    let month = Month::new(parts.next()?, parts.next()?)?;
    let day = i64::from(digits(parts.next()?, 2)?);
    let mut clock = time.split(':');
    let mut unit = |limit: u16| digits(clock.next()?, 2).filter(|&value| value < limit);
    let (hour, minute, second) = (unit(24)?, unit(60)?, unit(60)?);
    let seconds = i64::from(hour) * 3600 + i64::from(minute) * 60 + i64::from(second);
    let at = month.begins() + (day - 1) * DAY + seconds;
    let is_day = day > 0 && at < month.ends() && parts.next().is_none();
    is_day.then_some((month, at))
}

/// A number of exactly so many digits.
fn digits(text: &str, count: usize) -> Option<u16> {
    let are_digits = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    are_digits.then(|| text.parse().ok())?
}

/// The number of days from 1 January 1970 to a day.
fn day_number(year: i64, month: i64, day: i64) -> i64 {
    // If years begin in March, the leap day is the last of the year.
    let year = if month <= 2 { year - 1 } else { year };
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let leaps = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    365 * year + leaps + of_year - 719_468
}
