//! The output of converted games: stdout, a file, or several, in the order of the input or sorted.
//!
//! Games that are sorted or grouped are in a temporary file until all have been read. Memory is needed only for their
//! sort keys and offsets.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tabiya_db::ParquetWriter;
use tabiya_front::failure::Failure;
use tabiya_front::opening_names;
use tabiya_front::output::Output;
use tabiya_game::Record;
use tabiya_store::disk::NewFile;
use tabiya_store::is_device;

use super::row;
use crate::pgn::columns::SortKey;
use crate::pgn::criteria::date_of;
use crate::pgn::flags::Convert;
use crate::pgn::options::{Form, Split};
use crate::pgn::spool::{Span, Spool};

/// How many characters of a name are used in a file name.
const MAX_NAME_LENGTH: usize = 80;

/// The groups of a game, by name. Without names for files, there is one.
pub(super) fn groups(split: Option<Split>, record: &Record) -> Vec<String> {
    let tag = |name: &str| record.tags().get(name).unwrap_or_default();
    match split {
        None | Some(Split::Count(_)) => vec![String::new()],
        Some(Split::Eco) => {
            let code = tag("ECO").get(..3).map(str::to_owned);
            let from_moves = || Some(opening_names::of_record(record)?.eco.to_string());
            vec![file_name(&code.or_else(from_moves).unwrap_or_default())]
        }
        Some(Split::Player) => {
            let mut names = vec![file_name(tag("White")), file_name(tag("Black"))];
            names.dedup();
            names
        }
        Some(Split::Month) => {
            let date = date_of(tag("Date"), tag("UTCDate"));
            let month = date.get(..7).unwrap_or(date);
            vec![file_name(&month.replace(['.', '/'], "-"))]
        }
    }
}

/// A name that is valid for a file on any system: letters and digits, with `_` and `-` between them.
fn file_name(name: &str) -> String {
    let name: String = name.chars().take(MAX_NAME_LENGTH).collect();
    let words = name.split(|c: char| !c.is_alphanumeric() && c != '-');
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let name = words.join("_");
    match name.trim_matches('-') {
        "" => "unknown".to_owned(),
        name if is_device(name) => format!("{name}_"),
        name => name.to_owned(),
    }
}

/// A game to write, with what decides its place.
#[derive(Debug)]
pub(crate) struct Converted {
    /// As the form has it ([`Convert::bytes`]).
    pub(super) bytes: Vec<u8>,
    pub(super) keys: Vec<SortKey>,
    pub(super) groups: Vec<String>,
    /// The number of errors in its text.
    pub(super) errors: u64,
}

/// The output of games.
#[derive(Debug)]
pub(super) struct Sink {
    args: Arc<Convert>,
    destination: Destination,
    waiting: Option<Waiting>,
}

#[derive(Debug)]
enum Destination {
    /// The heading is there until it is printed.
    Stdout {
        heading: Option<String>,
    },
    File(Writer),
    Folder(Folder),
}

/// Files in a folder, written one after the other.
#[derive(Debug)]
struct Folder {
    path: PathBuf,
    /// How many games each file gets; without this, files are named after groups.
    games_per_file: Option<u64>,
    /// How many games have been written.
    games: u64,
    /// The current file and its name.
    file: Option<(String, Writer)>,
}

/// Games that wait until all have been read.
#[derive(Debug)]
struct Waiting {
    spool: Spool,
    /// The games for each file, and its name in the first spelling; by the name in lowercase, because some systems ignore
    /// case.
    groups: BTreeMap<String, (String, Vec<Entry>)>,
}

/// A game that waits.
#[derive(Debug)]
struct Entry {
    keys: Box<[SortKey]>,
    /// Where its text is in the spool.
    span: Span,
}

/// A new file that is written in large blocks, or row by row.
#[derive(Debug)]
enum Writer {
    Text(BufWriter<NewFile>),
    Table(Box<ParquetWriter<BufWriter<NewFile>>>),
}

impl Writer {
    /// Begins a new file, with its heading.
    fn begin(path: &Path, args: &Convert) -> Result<Writer, Failure> {
        let file = NewFile::begin(path).map_err(|error| Failure::system(path.display(), &error))?;
        let file = BufWriter::with_capacity(1 << 16, file);
        Ok(match args.to {
            Form::Pgn | Form::Epd | Form::Jsonl | Form::Csv => {
                let mut writer = Writer::Text(file);
                writer.write(args.heading().as_bytes())?;
                writer
            }
            Form::Parquet => {
                let columns = args.columns.iter();
                let kinds: Vec<_> = columns.map(|it| (it.name(), it.kind())).collect();
                Writer::Table(Box::new(ParquetWriter::new(path, file, &kinds)?))
            }
        })
    }

    /// Writes a game: its text, or a row.
    fn write(&mut self, game: &[u8]) -> Result<(), Failure> {
        match self {
            Writer::Text(file) => {
                let written = file.write_all(game);
                written.map_err(|error| Failure::system(file.get_ref().path().display(), &error))
            }
            Writer::Table(writer) => Ok(writer.push(row::values(game))?),
        }
    }

    fn finish(self) -> Result<(), Failure> {
        let file = match self {
            Writer::Text(file) => file,
            Writer::Table(writer) => writer.finish()?,
        };
        let path = file.get_ref().path().to_owned();
        let file = file.into_inner().map_err(io::IntoInnerError::into_error);
        let finished = file.and_then(NewFile::finish);
        finished.map_err(|error| Failure::system(path.display(), &error))
    }
}

impl Folder {
    /// Creates the folder, if it is missing.
    fn begin(path: &Path, games_per_file: Option<u64>) -> Result<Folder, Failure> {
        fs::create_dir_all(path).map_err(|error| Failure::system(path.display(), &error))?;
        Ok(Folder {
            path: path.to_owned(),
            games_per_file,
            games: 0,
            file: None,
        })
    }

    /// Writes the next game of a group, into a new file if one is due.
    fn write(&mut self, group: &str, game: &[u8], args: &Convert) -> Result<(), Failure> {
        let name = match self.games_per_file {
            Some(count) => format!("games-{:05}", self.games / count + 1),
            None => group.to_owned(),
        };
        self.games += 1;
        let mut file = match self.file.take() {
            Some((known, file)) if known == name => file,
            finished => {
                finished.map_or(Ok(()), |(_, file)| file.finish())?;
                let file = format!("{name}.{}", args.to.extension());
                Writer::begin(&self.path.join(file), args)?
            }
        };
        file.write(game)?;
        self.file = Some((name, file));
        Ok(())
    }
}

impl Sink {
    pub(super) fn new(args: Arc<Convert>) -> Result<Sink, Failure> {
        let destination = match (&args.out, args.split) {
            (None, _) => Destination::Stdout {
                heading: Some(args.heading()),
            },
            (Some(path), None) => Destination::File(Writer::begin(path, &args)?),
            (Some(path), Some(split)) => Destination::Folder(Folder::begin(path, split.count())?),
        };
        let is_grouped = args.split.is_some_and(|split| split.count().is_none());
        let must_wait = is_grouped || !args.sort.is_empty();
        Ok(Sink {
            args,
            destination,
            waiting: must_wait.then(Waiting::new).transpose()?,
        })
    }

    /// Writes the next game, or lets it wait until all have been read.
    pub(super) fn add(&mut self, game: Converted, output: &mut Output) -> Result<(), Failure> {
        match &mut self.waiting {
            Some(waiting) => waiting.add(game),
            None => self.write("", &game.bytes, output),
        }
    }

    fn write(&mut self, group: &str, game: &[u8], output: &mut Output) -> Result<(), Failure> {
        match &mut self.destination {
            Destination::Stdout { heading } => {
                output.text(&heading.take().unwrap_or_default())?;
                output.foreign(game)
            }
            Destination::File(file) => file.write(game),
            Destination::Folder(folder) => folder.write(group, game, &self.args),
        }
    }

    /// Writes what is left after the last game.
    pub(super) fn finish(mut self, output: &mut Output) -> Result<(), Failure> {
        if let Some(mut waiting) = self.waiting.take() {
            waiting.sort(self.args.reverse);
            for (name, entries) in waiting.groups.values() {
                for entry in entries {
                    let game = waiting.spool.read(entry.span)?;
                    self.write(name, game, output)?;
                }
            }
        }
        match self.destination {
            // A table without rows has its heading.
            Destination::Stdout { heading } => output.text(&heading.unwrap_or_default()),
            Destination::File(file) => file.finish(),
            Destination::Folder(folder) => folder.file.map_or(Ok(()), |(_, file)| file.finish()),
        }
    }
}

impl Waiting {
    fn new() -> Result<Waiting, Failure> {
        Ok(Waiting {
            spool: Spool::new()?,
            groups: BTreeMap::new(),
        })
    }

    fn add(&mut self, game: Converted) -> Result<(), Failure> {
        let span = self.spool.add(&game.bytes)?;
        let keys = game.keys.into_boxed_slice();
        for name in game.groups {
            let group = self.groups.entry(name.to_lowercase());
            let (_, entries) = group.or_insert_with(|| (name, Vec::new()));
            let keys = keys.clone();
            entries.push(Entry { keys, span });
        }
        Ok(())
    }

    /// Sorts the waiting games. Equal games stay in their order.
    fn sort(&mut self, reverse: bool) {
        for (_, entries) in self.groups.values_mut() {
            entries.sort_by(|one, other| {
                let keys = one.keys.iter().zip(&other.keys);
                let orders = keys.map(|(one, other)| one.order(other));
                let order = orders.fold(Ordering::Equal, Ordering::then);
                if reverse { order.reverse() } else { order }
            });
        }
    }
}

#[cfg(test)]
mod tests;
