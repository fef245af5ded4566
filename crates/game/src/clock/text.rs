//! Time controls as text, in the form people write and in that of the `TimeControl` tag of PGN.

use core::fmt;
use core::num::NonZeroU32;
use core::str::FromStr;
use core::time::Duration;

use tabiya_rules::text::clean;

use super::{Bonus, Period, TimeControl};
use crate::annotation::{nanoseconds, write_fraction};

/// Why a text or a list of periods is not a time control.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TimeControlError {
    /// The text is not a time control.
    Unreadable(String),
    /// A period other than the last has no number of moves.
    PeriodWithoutMoves,
    /// A period has no time.
    NoTime,
    /// A time is longer than a thousand hours.
    TooLong,
    /// There are more than sixteen periods.
    TooManyPeriods,
}

impl fmt::Display for TimeControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeControlError::Unreadable(text) => write!(
                f,
                "'{}' is no time control: write minutes+seconds such as 5+3, or 5s+0.05s, or 40/90+30:30+30.",
                clean(text)
            ),
            TimeControlError::PeriodWithoutMoves => f.write_str(
                "Every period but the last needs a number of moves, as in 40/90+30:30+30.",
            ),
            TimeControlError::NoTime => f.write_str("A clock needs some time to begin with."),
            TimeControlError::TooLong => f.write_str("A clock can hold a thousand hours at most."),
            TimeControlError::TooManyPeriods => {
                f.write_str("A time control can have sixteen periods at most.")
            }
        }
    }
}

impl core::error::Error for TimeControlError {}

/// The unit of a number without one.
#[derive(Clone, Copy)]
enum Base {
    Minutes,
    Seconds,
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    /// Reads `5+3` (minutes, seconds of increment), `5` and `5+0` (sudden death), `5d3` (US delay), `5b3` (Bronstein),
    /// `40/90+30` (a period of 40 moves), several periods separated by `:` or `,`, and `unlimited`, `none` or `-`. A
    /// number may have decimals and its own unit: `5s+0.05s`, `1h+1m`.
    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        match text.trim() {
            "unlimited" | "none" | "-" => Ok(TimeControl::UNLIMITED),
            periods => read(text, periods, Base::Minutes),
        }
    }
}

impl fmt::Display for TimeControl {
    /// Writes the shortest text that reads back as the same control.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_unlimited() {
            return f.write_str("unlimited");
        }
        write_list(f, &self.periods, |f, period| {
            let seconds = period.time.as_secs();
            let minutes = seconds.is_multiple_of(60) && period.time.subsec_nanos() == 0;
            let (time, unit) = if minutes {
                (Duration::from_secs(seconds / 60), "")
            } else {
                (period.time, "s")
            };
            let (sign, bonus) = sign(period.bonus);
            write!(f, "{}{unit}{sign}{}{unit}", Number(time), Number(bonus))
        })
    }
}

impl TimeControl {
    /// Returns the value of the `TimeControl` tag in PGN: seconds, as in `40/5400+30:1800+30`, and `-` for no limit.
    /// PGN has no symbol for delays; they are written with `d` and `b` instead of the plus sign.
    pub fn pgn(&self) -> String {
        struct Seconds<'a>(&'a [Period]);
        impl fmt::Display for Seconds<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_list(f, self.0, |f, period| {
                    write!(f, "{}", Number(period.time))?;
                    match sign(period.bonus) {
                        (_, Duration::ZERO) => Ok(()),
                        (sign, bonus) => write!(f, "{sign}{}", Number(bonus)),
                    }
                })
            }
        }
        if self.is_unlimited() {
            "-".to_owned()
        } else {
            Seconds(&self.periods).to_string()
        }
    }

    /// Reads the value of the `TimeControl` tag in PGN.
    ///
    /// # Errors
    /// Fails if the text is not a time control. `?` (unknown) and `*60` (an hourglass) are not.
    pub fn from_pgn(text: &str) -> Result<TimeControl, TimeControlError> {
        match text.trim() {
            "-" => Ok(TimeControl::UNLIMITED),
            periods => read(text, periods, Base::Seconds),
        }
    }
}

/// Reads the periods of a control, separated by colons or commas. A number without a unit is in that of `base`.
fn read(whole: &str, periods: &str, base: Base) -> Result<TimeControl, TimeControlError> {
    // A hostile text is neither read to its end nor repeated in full.
    let unreadable = || TimeControlError::Unreadable(whole.chars().take(80).collect());
    let mut list = Vec::new();
    for part in periods.split([':', ',']) {
        if list.len() == TimeControl::MAX_PERIODS {
            return Err(TimeControlError::TooManyPeriods);
        }
        list.push(period(part.trim(), base).ok_or_else(unreadable)?);
    }
    TimeControl::periods(&list)
}

/// Reads a period: `40/90+30`, `90d5`, `5`.
fn period(text: &str, base: Base) -> Option<Period> {
    let (moves, rest) = match text.split_once('/') {
        None => (None, text),
        Some((moves, rest)) => {
            let digits = moves.bytes().all(|b| b.is_ascii_digit());
            (
                Some(moves.parse::<NonZeroU32>().ok().filter(|_| digits)?),
                rest,
            )
        }
    };
    let at = rest.find(['+', 'd', 'b']);
    let time = duration(at.map_or(rest, |at| &rest[..at]), base)?;
    let bonus = match at {
        None => Bonus::None,
        Some(at) => {
            let amount = duration(&rest[at + 1..], Base::Seconds)?;
            match &rest[at..=at] {
                "+" => Bonus::Increment(amount),
                "d" => Bonus::Delay(amount),
                _ => Bonus::Bronstein(amount),
            }
        }
    };
    Some(Period { moves, time, bonus })
}

/// Reads a number in its own unit, or else in the unit of its place.
fn duration(text: &str, base: Base) -> Option<Duration> {
    let (number, unit) = match text.strip_suffix(['s', 'm', 'h']) {
        Some(number) => (number, &text[number.len()..]),
        None => (text, ""),
    };
    let scale = match (unit, base) {
        ("s", _) | ("", Base::Seconds) => 1,
        ("h", _) => 3600,
        _ => 60,
    };
    let (whole, fraction) = match number.split_once('.') {
        None => (number, 0),
        Some((whole, digits)) => (whole, nanoseconds(digits)?),
    };
    if whole.is_empty() || !whole.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    // Nine digits are far beyond the limit on times, and far from overflow.
    let whole: u64 = whole
        .parse()
        .ok()
        .filter(|&number| number < 1_000_000_000)?;
    Some(Duration::from_secs(whole * scale) + Duration::from_nanos(u64::from(fraction) * scale))
}

/// Returns the sign of a bonus, and its time.
fn sign(bonus: Bonus) -> (char, Duration) {
    let sign = match bonus {
        Bonus::None | Bonus::Increment(_) => '+',
        Bonus::Delay(_) => 'd',
        Bonus::Bronstein(_) => 'b',
    };
    (sign, bonus.time())
}

/// Writes periods with colons between them.
fn write_list(
    f: &mut fmt::Formatter<'_>,
    periods: &[Period],
    write: impl Fn(&mut fmt::Formatter<'_>, &Period) -> fmt::Result,
) -> fmt::Result {
    for (at, period) in periods.iter().enumerate() {
        if at > 0 {
            f.write_str(":")?;
        }
        if let Some(moves) = period.moves {
            write!(f, "{moves}/")?;
        }
        write(f, period)?;
    }
    Ok(())
}

/// A duration as a decimal number of seconds.
struct Number(Duration);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.as_secs())?;
        write_fraction(f, self.0.subsec_nanos())
    }
}
