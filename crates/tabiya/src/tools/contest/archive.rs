//! The file that keeps the games of a match: each is on the disk before the next result is counted, so that an
//! interrupted match loses nothing but the games that were going on.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use tabiya_game::pgn::{self, Format};

use crate::clean::clean;
use crate::contest::Finished;
use crate::failure::Failure;

/// A file that games are appended to.
#[derive(Debug)]
pub(super) struct Archive {
    file: File,
    name: String,
    is_empty: bool,
}

impl Archive {
    pub(super) fn open(path: &Path) -> Result<Archive, Failure> {
        let name = clean(&path.display().to_string()).into_owned();
        let open = || {
            let file = OpenOptions::new().create(true).append(true).open(path)?;
            let is_empty = file.metadata()?.len() == 0;
            io::Result::Ok((file, is_empty))
        };
        match open() {
            Ok((file, is_empty)) => Ok(Archive {
                file,
                name,
                is_empty,
            }),
            Err(error) => Err(Failure::file(&name, &error)),
        }
    }

    /// Appends a game and waits until it is safe.
    pub(super) fn add(&mut self, game: &Finished) -> Result<(), Failure> {
        let mut text = String::new();
        if !self.is_empty {
            text.push('\n');
        }
        text.push_str(&pgn::to_string(&game.record, Format::Export));
        self.is_empty = false;
        let written = self.file.write_all(text.as_bytes());
        let safe = written.and_then(|()| match self.file.sync_data() {
            // A pipe cannot be synced, and need not be.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
            result => result,
        });
        safe.map_err(|error| Failure::file(&self.name, &error))
    }
}

/// Today's date (UTC) as PGN writes it.
pub(crate) fn today() -> String {
    let passed = SystemTime::now().duration_since(UNIX_EPOCH);
    let days = passed.map_or(0, |passed| passed.as_secs() / 86_400);
    let (year, month, day) = date(days);
    format!("{year:04}.{month:02}.{day:02}")
}

/// Year, month and day of a day counted from the first of 1970.
fn date(days: u64) -> (u64, u64, u64) {
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let (mut year, mut left) = (1970, days);
    loop {
        let length = if is_leap(year) { 366 } else { 365 };
        if left < length {
            break;
        }
        left -= length;
        year += 1;
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if left < length {
            break;
        }
        left -= length;
        month += 1;
    }
    (year, month, left + 1)
}

#[cfg(test)]
mod tests {
    //! Days become dates.

    use super::*;

    #[test]
    fn dates_of_days() {
        for (days, expected) in [
            (0, (1970, 1, 1)),
            (58, (1970, 2, 28)),
            (59, (1970, 3, 1)),
            (789, (1972, 2, 29)),
            (11_016, (2000, 2, 29)),
            (20_453, (2025, 12, 31)),
            (20_454, (2026, 1, 1)),
        ] {
            assert_eq!(date(days), expected, "{days}");
        }
    }
}
