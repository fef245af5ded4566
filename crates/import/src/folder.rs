//! The files of an account, one for each month. A file is replaced in one step, and what is in it stays byte for byte:
//! games are added at its end.

use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tabiya_rules::text::clean_lines;
use tabiya_store::disk::{Disk, FileError, SystemDisk, replace, uninterrupted};

use crate::Summary;
use crate::account::Account;
use crate::games::{Found, games};
use crate::month::Month;

/// The largest file that is read.
const MAX_FILE: u64 = 1 << 28;

/// How long games that have arrived wait until they are written.
const PATIENCE: Duration = Duration::from_secs(2);

/// How the line begins that has the tag of the answer from which a file was made. PGN ignores such lines.
const TAG: &str = "% etag ";

/// The folder, with the file of one month in memory.
#[derive(Debug)]
pub(crate) struct Folder<'a> {
    folder: &'a Path,
    /// How the names of the account's files begin.
    prefix: String,
    open: Option<File>,
    pub(crate) summary: &'a mut Summary,
}

/// The file of a month.
#[derive(Debug)]
struct File {
    month: Month,
    path: PathBuf,
    text: Vec<u8>,
    ids: HashSet<String>,
    /// Since when it differs from the one on the disk.
    changed: Option<Instant>,
}

/// What becomes of a game that has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    New,
    Known,
    Variant,
    Unreadable,
}

impl Folder<'_> {
    /// Opens the folder, which is created if it is missing.
    pub(crate) fn open<'a>(
        folder: &'a Path,
        account: &Account,
        summary: &'a mut Summary,
    ) -> Result<Folder<'a>, FileError> {
        let made = uninterrupted(|| SystemDisk.make_folder(folder));
        made.map_err(|error| FileError::new(folder, &error))?;
        Ok(Folder {
            folder,
            prefix: format!("{}-{}-", account.site.name(), account.lowercase()),
            open: None,
            summary,
        })
    }

    /// The last month that has a file.
    pub(crate) fn last_month(&self) -> Result<Option<Month>, FileError> {
        let listed = SystemDisk.list(self.folder, |name| name.ends_with(".pgn"));
        let listed = listed.map_err(|error| FileError::new(self.folder, &error))?;
        let month =
            |name: &str| Month::named(name.strip_prefix(&self.prefix)?.strip_suffix(".pgn")?);
        Ok(listed.iter().filter_map(|(name, _)| month(name)).max())
    }

    /// When the newest game in the files began, in seconds since 1970.
    pub(crate) fn newest(&mut self) -> Result<Option<i64>, FileError> {
        let Some(month) = self.last_month()? else {
            return Ok(None);
        };
        let file = self.file(month)?;
        let times = games(&file.text).into_iter().filter_map(|game| game.moment);
        let newest = times.map(|(_, seconds)| seconds).max();
        Ok(Some(newest.unwrap_or(month.begins())))
    }

    /// The tag of the answer from which the file of a month was made.
    pub(crate) fn tag(&mut self, month: Month) -> Result<Option<String>, FileError> {
        let text = &self.file(month)?.text;
        let line = text.split(|&byte| byte == b'\n').next();
        let tag = line.and_then(|line| line.trim_ascii_end().strip_prefix(TAG.as_bytes()));
        Ok(tag.and_then(|tag| Some(str::from_utf8(tag).ok()?.to_owned())))
    }

    /// Stores the tag of the answer from which the file of a month is made, unless the file has nothing else.
    pub(crate) fn set_tag(&mut self, month: Month, tag: Option<&str>) -> Result<(), FileError> {
        let file = self.file(month)?;
        if file.ids.is_empty() {
            return Ok(());
        }
        let is_tag = |line: &&[u8]| line.starts_with(TAG.as_bytes());
        let lines = file.text.split_inclusive(|&byte| byte == b'\n');
        let games = lines.skip_while(is_tag).flatten();
        let mut text = tag
            .map_or(String::new(), |tag| format!("{TAG}{tag}\n"))
            .into_bytes();
        text.extend(games);
        if text != file.text {
            file.text = text;
            file.changed.get_or_insert_with(Instant::now);
        }
        Ok(())
    }

    /// Adds games of a text to the files of their months, or of the one that is given.
    pub(crate) fn add(
        &mut self,
        text: &[u8],
        games: &[Found],
        month: Option<Month>,
    ) -> Result<(), FileError> {
        for game in games {
            let fate = self.add_game(text, game, month)?;
            let count = match fate {
                Fate::New => &mut self.summary.new,
                Fate::Known => &mut self.summary.known,
                Fate::Variant => &mut self.summary.variants,
                Fate::Unreadable => &mut self.summary.unreadable,
            };
            *count += 1;
        }
        let is_due = |file: &File| file.changed.is_some_and(|at| at.elapsed() >= PATIENCE);
        if self.open.as_ref().is_some_and(is_due) {
            self.write()?;
        }
        Ok(())
    }

    fn add_game(
        &mut self,
        text: &[u8],
        game: &Found,
        month: Option<Month>,
    ) -> Result<Fate, FileError> {
        let month = month.or(game.moment.map(|(month, _)| month));
        let (Some(id), Some(month), true) = (&game.id, month, game.is_whole) else {
            return Ok(Fate::Unreadable);
        };
        if game.is_variant {
            return Ok(Fate::Variant);
        }
        let file = self.file(month)?;
        if !file.ids.insert(id.clone()) {
            return Ok(Fate::Known);
        }
        let text = text.get(game.range.clone()).unwrap_or_default();
        let text = String::from_utf8_lossy(text).replace("\r\n", "\n");
        let begins = match file.text.trim_ascii_end() {
            [] => "",
            _ if file.text.ends_with(b"\n\n") => "",
            _ if file.text.ends_with(b"\n") => "\n",
            _ => "\n\n",
        };
        // What a site sends is not to act on a terminal that shows the file.
        let text = format!("{begins}{}\n", clean_lines(text.trim()));
        file.text.extend(text.into_bytes());
        file.changed.get_or_insert_with(Instant::now);
        Ok(Fate::New)
    }

    /// The file of a month, read if it is not in memory.
    fn file(&mut self, month: Month) -> Result<&mut File, FileError> {
        let file = match self.open.take() {
            Some(open) if open.month == month => open,
            open => {
                self.open = open;
                self.write()?;
                File::read(
                    self.folder.join(format!("{}{month}.pgn", self.prefix)),
                    month,
                )?
            }
        };
        Ok(self.open.insert(file))
    }

    /// Writes what is not on the disk yet.
    pub(crate) fn write(&mut self) -> Result<(), FileError> {
        let Some(file) = self.open.as_mut().filter(|file| file.changed.is_some()) else {
            return Ok(());
        };
        // One import runs at a time, so the remains of one that was killed are in nobody's way.
        let draft = file.path.with_extension("pgn.part");
        let written = replace(&SystemDisk, &file.path, &draft, &file.text);
        written.map_err(|error| FileError::new(&file.path, &error))?;
        file.changed = None;
        if !self.summary.files.contains(&file.path) {
            self.summary.files.push(file.path.clone());
        }
        Ok(())
    }
}

impl File {
    fn read(path: PathBuf, month: Month) -> Result<File, FileError> {
        let text = match uninterrupted(|| SystemDisk.read(&path, MAX_FILE)) {
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            text => text.map_err(|error| FileError::new(&path, &error))?,
        };
        let ids = games(&text).into_iter().filter_map(|game| game.id);
        Ok(File {
            month,
            ids: ids.collect(),
            path,
            text,
            changed: None,
        })
    }
}
