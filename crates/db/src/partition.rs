//! How a database is split: by the high bits of keys, into parts that can be built separately.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use thiserror::Error;

/// How many parts each table of a database has by default.
pub const PARTS: u32 = 16;

/// The most parts that a table may have.
pub const MAX_PARTS: u32 = 4096;

/// A share of a database, such as 3/16: the third of sixteen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// From 1.
    number: u32,
    /// A power of two.
    of: u32,
}

impl Share {
    /// All of it.
    pub const WHOLE: Share = Share { number: 1, of: 1 };

    /// A share, if the numbers make one.
    pub(crate) fn new(number: u32, of: u32) -> Option<Share> {
        let is_share = of.is_power_of_two() && of <= MAX_PARTS && (1..=of).contains(&number);
        is_share.then_some(Share { number, of })
    }

    /// Its number, from 1.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.number
    }

    /// How many shares there are.
    #[must_use]
    pub const fn of(self) -> u32 {
        self.of
    }

    /// The parts that belong to it if a table has `parts` parts.
    pub(crate) fn parts(self, parts: u32) -> Range<u32> {
        let each = parts / self.of;
        (self.number - 1) * each..self.number * each
    }
}

/// The text is not a share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a share is a number and a power of two, such as 3/16, and at most 4096")]
pub struct ParseShareError;

impl FromStr for Share {
    type Err = ParseShareError;

    fn from_str(text: &str) -> Result<Share, ParseShareError> {
        let (number, of) = text.split_once('/').ok_or(ParseShareError)?;
        let read = |text: &str| text.parse::<u32>().map_err(|_| ParseShareError);
        Share::new(read(number)?, read(of)?).ok_or(ParseShareError)
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// Which rows a database has of the games that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    pub(crate) parts: u32,
    pub(crate) share: Share,
    /// Whether every position of every game has a row.
    pub(crate) full: bool,
}

impl Scope {
    /// A share of a database, with or without the table of every position.
    pub(crate) fn new(share: Share, full: bool) -> Scope {
        Scope {
            parts: PARTS.max(share.of),
            share,
            full,
        }
    }

    /// Whether a hash belongs to the share.
    pub(crate) fn holds(&self, hash: u64) -> bool {
        self.share.of == 1
            || self
                .share
                .parts(self.parts)
                .contains(&part_of(hash, self.parts))
    }
}

/// The part that a key or an ID belongs to if a table has `parts` parts.
pub(crate) fn part_of(hash: u64, parts: u32) -> u32 {
    ((u128::from(hash) * u128::from(parts)) >> 64) as u32
}
