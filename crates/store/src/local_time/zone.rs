//! The offset of the user's clock from UTC, by the variable TZ or by the system's time zone. Both are as in POSIX: a
//! rule as text, or a file of the time zone database (RFC 9636).

use std::fs::File;
use std::io::Read;
use std::path::{Component, Path};

use super::{DAY, date, year_begins};

/// Where the files of the time zone database are.
const DATABASES: [&str; 3] = [
    "/usr/share/zoneinfo",
    "/usr/share/lib/zoneinfo",
    "/etc/zoneinfo",
];

/// No time zone file is longer.
const MAX_FILE_SIZE: u64 = 1 << 20;

/// Returns the seconds to add to UTC at a time.
pub(super) fn offset(utc: i64) -> i64 {
    let known = match std::env::var("TZ") {
        Ok(zone) => named(zone.trim_start_matches(':'), utc),
        Err(_) => file(Path::new("/etc/localtime")).and_then(|bytes| in_file(&bytes, utc)),
    };
    known.unwrap_or(0)
}

/// Returns the offset of the zone that TZ names: the name of a file of the database, a path, or a rule.
fn named(zone: &str, utc: i64) -> Option<i64> {
    let path = Path::new(zone);
    let mut parts = path.components();
    let is_inside = !zone.is_empty() && parts.all(|part| matches!(part, Component::Normal(_)));
    let is_file_name = is_inside || path.is_absolute();
    let mut folders = DATABASES.iter().filter(|_| is_file_name);
    // An absolute path stays what it is in every folder.
    let bytes = folders.find_map(|folder| file(&Path::new(folder).join(path)));
    bytes
        .and_then(|bytes| in_file(&bytes, utc))
        .or_else(|| in_rule(zone, utc))
}

/// Returns the bytes of a file; `None` for anything else, such as a pipe without a writer.
pub(super) fn file(path: &Path) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    path.is_file()
        .then(|| File::open(path).ok())
        .flatten()?
        .take(MAX_FILE_SIZE)
        .read_to_end(&mut bytes)
        .ok()?;
    Some(bytes)
}

/// Returns the offset by the bytes of a file: that of the last change before the time or, after the last change of
/// all, of the rule at the end.
pub(super) fn in_file(bytes: &[u8], utc: i64) -> Option<i64> {
    let (block, rest) = Block::read(bytes, 4)?;
    if block.version == 0 {
        return block.offset(utc);
    }
    // The first block is for old programs. The second has the same contents with longer numbers.
    let (block, rest) = Block::read(rest, 8)?;
    let rule = rest
        .strip_prefix(b"\n")?
        .split(|&byte| byte == b'\n')
        .next();
    let rule = std::str::from_utf8(rule?).ok()?;
    let is_behind = block.times().next_back().is_none_or(|last| utc >= last);
    let by_rule = Some(rule).filter(|_| is_behind);
    by_rule
        .and_then(|rule| in_rule(rule, utc))
        .or_else(|| block.offset(utc))
}

/// One of the blocks of a file.
struct Block<'a> {
    version: u8,
    /// The times of the changes, each a number of this many bytes, and the type of each change.
    times: &'a [u8],
    width: usize,
    changes: &'a [u8],
    /// Six bytes for each type; the first four are the offset.
    types: &'a [u8],
}

impl Block<'_> {
    /// Reads a block whose times have this many bytes, and returns what follows it.
    fn read(bytes: &[u8], width: usize) -> Option<(Block<'_>, &[u8])> {
        let (head, mut rest) = bytes.split_at_checked(44)?;
        let version = *head.strip_prefix(b"TZif")?.first()?;
        // The head ends with six counts. Each part has as many items of a size as one of them says.
        let mut part = |count: usize, size: usize| {
            let count = number(head.get(20 + 4 * count..24 + 4 * count)?)?;
            let length = usize::try_from(count).ok()?.checked_mul(size)?;
            let (part, after) = rest.split_at_checked(length)?;
            rest = after;
            Some(part)
        };
        let (times, changes, types) = (part(3, width)?, part(3, 1)?, part(4, 6)?);
        // The names, the leap seconds, and two kinds of flags.
        for (count, size) in [(5, 1), (2, width + 4), (1, 1), (0, 1)] {
            part(count, size)?;
        }
        let block = Block {
            version,
            times,
            width,
            changes,
            types,
        };
        Some((block, rest))
    }

    fn times(&self) -> impl DoubleEndedIterator<Item = i64> + '_ {
        self.times.chunks_exact(self.width).filter_map(number)
    }

    fn offset(&self, utc: i64) -> Option<i64> {
        let before = self.times().take_while(|&time| time <= utc).count();
        let kind = match before.checked_sub(1) {
            Some(last) => usize::from(*self.changes.get(last)?),
            None => 0,
        };
        number(self.types.get(6 * kind..6 * kind + 4)?)
    }
}

/// Reads a signed big-endian number.
fn number(bytes: &[u8]) -> Option<i64> {
    match bytes.len() {
        4 => Some(i64::from(i32::from_be_bytes(bytes.try_into().ok()?))),
        8 => Some(i64::from_be_bytes(bytes.try_into().ok()?)),
        _ => None,
    }
}

/// Returns the offset by a rule such as `CET-1CEST,M3.5.0,M10.5.0/3`.
pub(super) fn in_rule(rule: &str, utc: i64) -> Option<i64> {
    let (west, rest) = clock(name(rule)?)?;
    let standard = -west;
    if rest.is_empty() {
        return Some(standard);
    }
    let rest = name(rest)?;
    let (summer, rest) = match clock(rest) {
        Some((west, rest)) => (-west, rest),
        None => (standard + 3600, rest),
    };
    // If the rule does not say when, the changes are those of the United States.
    let days = if rest.is_empty() {
        "M3.2.0,M11.1.0"
    } else {
        rest.strip_prefix(',')?
    };
    let (begins, ends) = days.split_once(',')?;
    let (year, ..) = date((utc + standard).div_euclid(DAY));
    let begins = change(begins, year)? - standard;
    let ends = change(ends, year)? - summer;
    let is_summer = if begins <= ends {
        (begins..ends).contains(&utc)
    } else {
        !(ends..begins).contains(&utc)
    };
    Some(if is_summer { summer } else { standard })
}

/// Returns what follows the name of a zone, which is letters or anything in angle brackets.
fn name(text: &str) -> Option<&str> {
    if let Some(quoted) = text.strip_prefix('<') {
        return quoted.split_once('>').map(|(_, rest)| rest);
    }
    let rest = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    (text.len() >= rest.len() + 3).then_some(rest)
}

/// Reads a time such as `-1`, `5:30` or `+02:00:00` in seconds, and returns what follows it.
fn clock(text: &str) -> Option<(i64, &str)> {
    let unsigned = text.trim_start_matches(['+', '-']);
    let end = unsigned.find(|c: char| !c.is_ascii_digit() && c != ':');
    let (time, rest) = unsigned.split_at(end.unwrap_or(unsigned.len()));
    let mut seconds = 0;
    for (part, unit) in time.split(':').zip([3600, 60, 1]) {
        // Rules may count hours beyond a day, up to a week.
        seconds += unit * part.parse::<i64>().ok().filter(|part| *part < 168)?;
    }
    let sign = if text.starts_with('-') { -1 } else { 1 };
    Some((sign * seconds, rest))
}

/// Returns the time of a change in a year, in seconds on the clock before the change: `M10.5.0/3`, `J60` or `59`.
fn change(text: &str, year: i64) -> Option<i64> {
    let (day, time) = text.split_once('/').unwrap_or((text, "2"));
    let (time, _) = clock(time)?;
    let begins = year_begins(year);
    let is_leap = year_begins(year + 1) - begins == 366;
    let day = if let Some(day) = day.strip_prefix('J') {
        // The leap day is never counted.
        let day: i64 = day.parse().ok().filter(|day| (1..=365).contains(day))?;
        begins + day - 1 + i64::from(is_leap && day >= 60)
    } else if let Some(day) = day.strip_prefix('M') {
        let mut parts = day.split('.').map(|part| part.parse::<i64>().ok());
        let mut next = |range: std::ops::RangeInclusive<i64>| {
            parts.next()?.filter(|part| range.contains(part))
        };
        let (month, week, weekday) = (next(1..=12)?, next(1..=5)?, next(0..=6)?);
        let first = (begins..).find(|&day| date(day).1 == month)?;
        // 1 January 1970 was a Thursday.
        let first = first + (weekday - (first + 4)).rem_euclid(7);
        let last = first + 7 * (week - 1);
        last - 7 * i64::from(date(last).1 != month)
    } else {
        let day: i64 = day.parse().ok().filter(|day| (0..=365).contains(day))?;
        begins + day
    };
    Some(day * DAY + time)
}
