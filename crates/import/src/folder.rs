//! The files of an account, one for each month. A file is replaced in one step, and what is in it stays byte for byte:
//! games are added at its end.

use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tabiya_rules::text::is_safe;
use tabiya_store::disk::{Disk, FileError, SystemDisk, replace, uninterrupted};

use crate::error::ImportError;
use crate::games::{Found, games};
use crate::month::Month;
use crate::{Import, Stopper, Summary};

/// How long games that have arrived wait until they are written.
const WRITE_INTERVAL: Duration = Duration::from_secs(2);

/// How the line begins that has the tag of the answer from which a file was made. PGN ignores such lines.
const TAG: &str = "% etag ";

/// The folder, with the file of one month in memory.
#[derive(Debug)]
pub(crate) struct Folder<'a> {
    folder: &'a Path,
    /// How the names of the account's files begin.
    prefix: String,
    open: Option<File>,
    /// The largest file that is read and written.
    max_file: u64,
    /// Now, in seconds since 1970.
    now: i64,
    stopper: &'a Stopper,
    pub(crate) summary: &'a mut Summary,
}

/// The file of a month.
#[derive(Debug)]
struct File {
    month: Month,
    path: PathBuf,
    /// What was on the disk when it was last read or written.
    text: Vec<u8>,
    /// The games in the text, and those that were added.
    ids: HashSet<String>,
    /// The games that are not on the disk yet, with their IDs.
    added: Vec<(String, String)>,
    /// The bytes of those games.
    length: usize,
    /// The line with a tag with which the file is to begin, which is empty for none; `None` if that stays as it is.
    tag_line: Option<String>,
    /// Since when there is something to write.
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
        import: &'a Import,
        stopper: &'a Stopper,
        summary: &'a mut Summary,
    ) -> Result<Folder<'a>, FileError> {
        let Import {
            folder, account, ..
        } = import;
        let made = uninterrupted(|| SystemDisk.make_folder(folder));
        made.map_err(|error| FileError::new(folder, &error))?;
        Ok(Folder {
            folder,
            prefix: format!("{}-{}-", account.site.name(), account.lowercase()),
            open: None,
            max_file: import.max_file,
            now: import.now,
            stopper,
            summary,
        })
    }

    /// The months that have a file, the last first, without those that are still to come.
    pub(crate) fn months(&self) -> Result<Vec<Month>, FileError> {
        let listed = SystemDisk.list(self.folder, |name| name.ends_with(".pgn"));
        let listed = listed.map_err(|error| FileError::new(self.folder, &error))?;
        let month =
            |name: &str| Month::named(name.strip_prefix(&self.prefix)?.strip_suffix(".pgn")?);
        let months = listed.iter().filter_map(|(name, _)| month(name));
        let mut months: Vec<Month> = months.filter(|month| month.begins() <= self.now).collect();
        months.sort_unstable_by(|one, other| other.cmp(one));
        Ok(months)
    }

    /// When the newest game in the files began, in seconds since 1970. A date that is still to come does not count.
    pub(crate) fn newest(&mut self) -> Result<Option<i64>, FileError> {
        let now = self.now;
        for month in self.months()? {
            let games = games(&self.file(month)?.text).into_iter();
            let times = games.filter_map(|game| Some(game.moment?.1));
            let newest = times.filter(|&seconds| seconds <= now).max();
            if newest.is_some() {
                return Ok(newest);
            }
        }
        Ok(None)
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
        let line = tag.map_or(String::new(), |tag| format!("{TAG}{tag}\n"));
        if file.text.get(..tag_length(&file.text)) != Some(line.as_bytes()) {
            file.tag_line = Some(line);
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
    ) -> Result<(), ImportError> {
        // Each file is opened once, in whatever order the months come.
        let mut games: Vec<&Found> = games.iter().collect();
        games.sort_by_key(|game| game.moment.map(|(month, _)| month));
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
        let is_due = |file: &File| {
            file.changed
                .is_some_and(|at| at.elapsed() >= WRITE_INTERVAL)
        };
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
    ) -> Result<Fate, ImportError> {
        let month = month.or(game.moment.map(|(month, _)| month));
        let (Some(id), Some(month), true) = (&game.id, month, game.is_whole) else {
            return Ok(Fate::Unreadable);
        };
        if game.is_variant {
            return Ok(Fate::Variant);
        }
        let is_other = self.open.as_ref().is_some_and(|open| open.month != month);
        if is_other && self.stopper.is_stopped() {
            return Err(ImportError::Stopped);
        }
        let max_file = self.max_file;
        let file = self.file(month)?;
        if file.ids.contains(id) {
            return Ok(Fate::Known);
        }
        let text = text.get(game.range.clone()).unwrap_or_default();
        let text = harmless(&String::from_utf8_lossy(text));
        let is_same = |found: &Found| found.is_whole && found.id.as_ref() == Some(id);
        if !matches!(&*games(text.as_bytes()), [found] if is_same(found)) {
            return Ok(Fate::Unreadable);
        }
        // With room for the gap, the end and a tag.
        let length = file.text.len() + file.length + text.len() + 300;
        if length as u64 > max_file {
            return Err(too_large(&file.path).into());
        }
        file.length += text.len() + 3;
        file.ids.insert(id.clone());
        file.added.push((id.clone(), text));
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
                    self.max_file,
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
        // Somebody may have edited it since. Nothing prevents that between here and the renaming, some milliseconds later.
        let there = read(&file.path, self.max_file)?;
        if there != file.text {
            file.ids = ids(&there);
            let count = file.added.len();
            file.added.retain(|(id, _)| file.ids.insert(id.clone()));
            let known = (count - file.added.len()) as u64;
            self.summary.new -= known;
            self.summary.known += known;
            file.text = there;
        }
        let text = file.completed();
        if text.len() as u64 > self.max_file {
            return Err(too_large(&file.path));
        }
        // One import runs at a time, so the remains of one that was killed are in nobody's way.
        let draft = file.path.with_extension("pgn.part");
        let written = replace(&SystemDisk, &file.path, &draft, &text);
        written.map_err(|error| FileError::new(&file.path, &error))?;
        file.text = text;
        (file.tag_line, file.changed) = (None, None);
        file.added.clear();
        file.length = 0;
        if !self.summary.files.contains(&file.path) {
            self.summary.files.push(file.path.clone());
        }
        Ok(())
    }
}

impl File {
    fn read(path: PathBuf, month: Month, max_file: u64) -> Result<File, FileError> {
        let text = read(&path, max_file)?;
        Ok(File {
            month,
            path,
            ids: ids(&text),
            text,
            added: Vec::new(),
            length: 0,
            tag_line: None,
            changed: None,
        })
    }

    /// The text with what is to be written.
    fn completed(&self) -> Vec<u8> {
        let mut text = match &self.tag_line {
            None => self.text.clone(),
            Some(line) => {
                let games = self.text.get(tag_length(&self.text)..);
                [line.as_bytes(), games.unwrap_or_default()].concat()
            }
        };
        for (_, game) in &self.added {
            let gap = match &*text {
                [] | [.., b'\n', b'\n'] => "",
                [.., b'\n'] if text.len() == tag_length(&text) => "",
                [.., b'\n'] => "\n",
                _ => "\n\n",
            };
            for part in [gap, game, "\n"] {
                text.extend(part.as_bytes());
            }
        }
        text
    }
}

/// The length of the lines with tags with which a text begins.
fn tag_length(text: &[u8]) -> usize {
    let lines = text.split_inclusive(|&byte| byte == b'\n');
    let tags = lines.take_while(|line| line.starts_with(TAG.as_bytes()));
    tags.map(<[u8]>::len).sum()
}

/// The text of a file, which is empty if there is none.
fn read(path: &Path, max_file: u64) -> Result<Vec<u8>, FileError> {
    match uninterrupted(|| SystemDisk.read(path, max_file)) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        text => text.map_err(|error| FileError::new(path, &error)),
    }
}

/// The IDs of the games in a text.
fn ids(text: &[u8]) -> HashSet<String> {
    let games = games(text).into_iter();
    games.filter_map(|game| game.id).collect()
}

fn too_large(path: &Path) -> FileError {
    FileError::new(path, &ErrorKind::FileTooLarge.into())
}

/// The text of a game without anything that acts on a terminal that shows the file. An escape would not do: the brace of
/// `\u{9}` would end a comment.
fn harmless(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let replaced = text.trim().chars().map(|c| match c {
        '\n' => c,
        _ if is_safe(c) => c,
        _ if c.is_whitespace() => ' ',
        _ => char::REPLACEMENT_CHARACTER,
    });
    replaced.collect()
}
