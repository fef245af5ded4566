//! Criteria for games: ranges of numbers, dates and opening codes, names, material, and how games end. Those for tags,
//! positions and moves are in separate files.

mod pattern;
mod sequence;
mod tag_test;

use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::ValueEnum;
use tabiya_front::ranges::{RangeError, parse_range};
use tabiya_rules::{Board, ByColor, ByRole, Color, Position, Role};
use thiserror::Error;

pub(crate) use pattern::Pattern;
pub(crate) use sequence::{Reached, Sequence};
pub(crate) use tabiya_front::ranges::{Numbers, Words};
pub(crate) use tag_test::{TagTest, number};

/// Numbers and ranges of them, such as `1,5..10,20..`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NumberList(Vec<Numbers>);

impl NumberList {
    pub(crate) fn contains(&self, number: u64) -> bool {
        self.0.iter().any(|range| range.contains(number))
    }

    /// The greatest number.
    pub(crate) fn last(&self) -> u64 {
        self.0.iter().map(Numbers::most).max().unwrap_or_default()
    }
}

impl FromStr for NumberList {
    type Err = RangeError;

    fn from_str(text: &str) -> Result<NumberList, RangeError> {
        let ranges: Result<Vec<Numbers>, _> = text.split(',').map(str::parse).collect();
        Ok(NumberList(ranges?))
    }
}

/// A day: year, month and day.
type Day = (u16, u8, u8);

/// A range of days, such as `2020..2022.06`. A missing month or day means all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dates(RangeInclusive<Day>);

impl Dates {
    /// Whether a date is in the range, whatever its unknown parts are.
    pub(crate) fn contains(&self, date: &str) -> bool {
        days(date).is_some_and(|(first, last)| self.0.contains(&first) && self.0.contains(&last))
    }
}

impl FromStr for Dates {
    type Err = RangeError;

    fn from_str(text: &str) -> Result<Dates, RangeError> {
        let all = (0, 0, 0)..=(u16::MAX, 0, 0);
        Ok(Dates(parse_range(text, all, RangeError::Dates, days)?))
    }
}

/// The first and the last day that a date with unknown parts, such as `2021.06.??`, can mean.
fn days(date: &str) -> Option<(Day, Day)> {
    let mut parts = date.trim().split(['.', '-', '/']);
    let year = year(parts.next()?)?;
    let mut part = |least: u8, most: u8| match parts.next() {
        None => Some((least, most)),
        Some(text) if text.chars().all(|c| c == '?') => Some((least, most)),
        Some(text) => {
            let value = text.parse().ok()?;
            (least..=most).contains(&value).then_some((value, value))
        }
    };
    let (first_month, last_month) = part(1, 12)?;
    let (first_day, last_day) = part(1, 31)?;
    let nothing_follows = parts.next().is_none();
    nothing_follows.then_some(((year, first_month, first_day), (year, last_month, last_day)))
}

/// The date of a game from its two tags: the local one if it is known, otherwise the one in UTC, which is the only one
/// that some sites write.
pub(crate) fn date_of<'a>(date: &'a str, utc_date: &'a str) -> &'a str {
    if year(date).is_some() { date } else { utc_date }
}

/// The year of a date.
pub(crate) fn year(date: &str) -> Option<u16> {
    let digits = date.trim().get(..4)?;
    let is_year = digits.bytes().all(|byte| byte.is_ascii_digit());
    is_year.then(|| digits.parse().ok()).flatten()
}

/// A range of ECO codes, such as `B20..B99`, or all with a prefix, such as `C` and `B2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ecos(RangeInclusive<[u8; 3]>);

impl Ecos {
    /// Whether a code is in the range. Only its first three characters count.
    pub(crate) fn contains(&self, code: &str) -> bool {
        let code = code.trim().as_bytes().first_chunk::<3>();
        code.is_some_and(|code| self.0.contains(&code.map(|byte| byte.to_ascii_uppercase())))
    }
}

impl FromStr for Ecos {
    type Err = RangeError;

    fn from_str(text: &str) -> Result<Ecos, RangeError> {
        let read = |text: &str| Some((code(text, b'0')?, code(text, b'9')?));
        let all = *b"A00"..=*b"E99";
        Ok(Ecos(parse_range(text, all, RangeError::Openings, read)?))
    }
}

/// A code with digits missing.
fn code(text: &str, padding: u8) -> Option<[u8; 3]> {
    let text = text.trim().to_ascii_uppercase();
    let (letter, digits) = text.as_bytes().split_first()?;
    let is_code =
        matches!(letter, b'A'..=b'E') && digits.len() <= 2 && digits.iter().all(u8::is_ascii_digit);
    let digit = |index: usize| digits.get(index).copied().unwrap_or(padding);
    is_code.then(|| [*letter, digit(0), digit(1)])
}

/// The pieces of both sides in common notation, such as `KRPvKR`. Either side may be White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Material {
    sides: [ByRole<u32>; 2],
    total: u32,
}

impl Material {
    /// Whether exactly these pieces are on a board.
    pub(crate) fn matches_board(&self, board: &Board) -> bool {
        if board.occupied().count() != self.total {
            return false;
        }
        let found: ByColor<ByRole<u32>> = board.material();
        let (white, black) = (found[Color::White], found[Color::Black]);
        [white, black] == self.sides || [black, white] == self.sides
    }
}

/// A text that names no pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "material is the pieces of both sides, such as KRPvKR: K, Q, R, B, N and P, each king once"
)]
pub(crate) struct NoMaterial;

impl FromStr for Material {
    type Err = NoMaterial;

    fn from_str(text: &str) -> Result<Material, NoMaterial> {
        let (one, other) = text.split_once(['v', 'V']).ok_or(NoMaterial)?;
        let sides = [side(one).ok_or(NoMaterial)?, side(other).ok_or(NoMaterial)?];
        let total = sides
            .iter()
            .flat_map(|side| Role::ALL.map(|role| side[role]))
            .sum();
        Ok(Material { sides, total })
    }
}

/// The pieces of one side: exactly one king, and no more than fit on a board.
fn side(text: &str) -> Option<ByRole<u32>> {
    let mut pieces = ByRole::default();
    for letter in text.chars() {
        pieces[Role::from_char(letter)?] += 1;
    }
    (pieces[Role::King] == 1 && text.len() <= 32).then_some(pieces)
}

/// A way for a game to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Ending {
    Mate,
    Stalemate,
    /// The last position occurred for the third time.
    Repetition,
    /// Fifty moves of each side without a capture or a pawn move lie before the end.
    #[value(name = "50")]
    FiftyMoves,
    /// Neither side has the pieces for any mate.
    Insufficient,
    /// The Termination tag mentions the time.
    Time,
}

impl Ending {
    /// Whether a game with this last position and Termination tag ended this way. The keys are those of the positions
    /// since the last irreversible move, including the last one.
    pub(crate) fn matches(self, position: &Position, keys: &[u64], termination: &str) -> bool {
        match self {
            Ending::Mate => position.is_checkmate(),
            Ending::Stalemate => position.is_stalemate(),
            Ending::Insufficient => position.is_insufficient_material(),
            Ending::FiftyMoves => position.halfmove_clock() >= 100,
            Ending::Repetition => {
                let last = position.key();
                keys.iter().filter(|&&key| key == last).count() >= 3
            }
            Ending::Time => termination.to_ascii_lowercase().contains("time"),
        }
    }
}

#[cfg(test)]
mod tests;
