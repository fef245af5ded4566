//! The time on the user's clock, in two forms: PGN's date, and a part of a file name.

mod zone;

use std::time::{SystemTime, UNIX_EPOCH};

/// The number of seconds in a day.
const DAY: i64 = 86_400;

/// Returns the date in the form of PGN: `2026.11.15`.
#[must_use]
pub fn pgn_date() -> String {
    let (year, month, day) = date(now().div_euclid(DAY));
    format!("{year:04}.{month:02}.{day:02}")
}

/// Returns the time for a file name, so that names sort by time: `2026-11-15-204502`.
#[must_use]
pub fn stamp() -> String {
    stamp_of(now())
}

/// Returns the offset of the user's clock from UTC at a time, given in seconds since the beginning of 1970, in minutes.
#[must_use]
pub fn offset_minutes(utc: i64) -> i16 {
    i16::try_from(zone::offset(utc).div_euclid(60)).unwrap_or(0)
}

/// A time as the names of saves have it.
fn stamp_of(local: i64) -> String {
    let (year, month, day) = date(local.div_euclid(DAY));
    let second = local.rem_euclid(DAY);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}-{hour:02}{minute:02}{second:02}")
}

/// Returns the seconds since the beginning of 1970 on the user's clock. It is UTC if the time zone is unknown.
fn now() -> i64 {
    let now = SystemTime::now();
    let since = now.duration_since(UNIX_EPOCH).unwrap_or_default();
    let now = i64::try_from(since.as_secs()).unwrap_or(0);
    now + zone::offset(now)
}

/// Returns the year, month and day of a day counted from 1 January 1970.
fn date(day: i64) -> (i64, i64, i64) {
    // If years begin in March, the leap day is the last of the year, and 400 years always have the same length.
    let day = day + 719_468;
    let (era, day) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let january = i64::from(month >= 10);
    (era * 400 + year + january, (month + 2) % 12 + 1, day)
}

/// Returns the day on which a year begins, counted from 1 January 1970.
fn year_begins(year: i64) -> i64 {
    let before = year - 1;
    365 * (year - 1970) + before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400)
        - 477
}

#[cfg(test)]
mod tests;
