//! `tabiya pgn dedupe`: removes duplicate games.
//!
//! Two games are duplicates if their players have similar names and their moves are the same, or one's moves are the
//! beginning of the other's. The texts are in a temporary file while all games are read; memory is needed for a small
//! record of each.

mod duplicates;
mod fingerprint;

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use tabiya_front::failure::Failure;
use tabiya_front::output::{OutputFile, say};
use tabiya_game::pgn::{Canceled, Part, Reader, Replay};
use tabiya_rules::text::clean;

use self::duplicates::{DuplicateKind, find_duplicates};
use self::fingerprint::{Fingerprint, FingerprintReader, Read};
use super::filter::standalone;
use super::flags::Dedupe;
use super::job::{Job, PartWriter};
use super::raw_text::{self, RawText};
use super::spool::{Span, Spool};
use super::{mention, work};

pub(crate) fn run(args: &Dedupe) -> Result<(), Failure> {
    let removed = args.removed.as_deref().map(OutputFile::begin);
    let mut removed = removed.transpose()?;
    let mut spool = Spool::new()?;
    let mut known = Known::default();
    let mut printer = work::run_job(Collecting, &args.reading, &mut |collected, _| {
        known.add(collected, &mut spool)?;
        Ok(ControlFlow::Continue(()))
    })?;
    let entries = &known.entries;
    let fingerprints: Vec<&Fingerprint> = entries.iter().map(|entry| &entry.fingerprint).collect();
    let duplicates = find_duplicates(&fingerprints, args.same_length, &mut |at| {
        spool.read(entries[at].place).map(<[u8]>::to_vec)
    })?;
    let mut duplicate_count = 0_u64;
    for (at, entry) in entries.iter().enumerate() {
        let text = spool.read(entry.place)?;
        let Some((kept, kind)) = duplicates[at] else {
            printer.output.foreign(text)?;
            continue;
        };
        duplicate_count += 1;
        if let Some(file) = &mut removed {
            file.add(&String::from_utf8_lossy(text))?;
        }
        if !args.quiet {
            say(&sentence(entry, &entries[kept], kind, &known.files));
        }
    }
    removed.map_or(Ok(()), OutputFile::finish)?;
    if printer.has_counts() {
        let games = entries.len();
        say(&format!("tabiya: {games} games, {duplicate_count} removed"));
    }
    mention(known.errors);
    printer.finish()?;
    Failure::if_errors(known.errors + known.left_out)
}

/// `games.pgn: game 7, A – B: the same moves as game 3 of other.pgn`
fn sentence(entry: &Entry, kept: &Entry, kind: DuplicateKind, files: &[Arc<str>]) -> String {
    let file = |entry: &Entry| files.get(entry.file as usize).map_or("", |name| name);
    let [white, black] =
        [&entry.fingerprint.white, &entry.fingerprint.black].map(|name| clean(name));
    let relation = match kind {
        DuplicateKind::Same => "has the same moves as",
        DuplicateKind::Contained => "is the beginning of",
    };
    let other = match entry.file == kept.file {
        true => format!("game {}", kept.number),
        false => format!("game {} of {}", kept.number, file(kept)),
    };
    let (name, number) = (file(entry), entry.number);
    format!("{name}: game {number}, {white} – {black}, {relation} {other}")
}

/// A game that was read.
struct Entry {
    fingerprint: Fingerprint,
    place: Span,
    /// The index of its file, and its number there.
    file: u32,
    number: u32,
}

/// The result of a part.
enum Collected {
    /// A part begins; says whether it is the first of a file.
    Begin { name: Arc<str>, begins_file: bool },
    /// A game with its text, unless that is too long to keep.
    Game(Box<Read>, Option<String>),
}

/// Everything read so far.
#[derive(Default)]
struct Known {
    entries: Vec<Entry>,
    files: Vec<Arc<str>>,
    /// How many games of the file have been read.
    number: u32,
    /// All names, which fingerprints share.
    names: HashSet<Arc<str>>,
    errors: u64,
    left_out: u64,
}

impl Known {
    /// Adds a game, and its text to the spool; or notes where a file begins.
    fn add(&mut self, collected: Collected, spool: &mut Spool) -> Result<(), Failure> {
        match collected {
            Collected::Begin { name, begins_file } => {
                if begins_file || self.files.is_empty() {
                    self.files.push(name);
                    self.number = 0;
                }
            }
            Collected::Game(read, text) => {
                self.errors += read.errors;
                self.number = self.number.saturating_add(1);
                let Some(text) = text else {
                    self.left_out += 1;
                    return Ok(());
                };
                let mut fingerprint = read.fingerprint;
                for name in [&mut fingerprint.white, &mut fingerprint.black] {
                    self.share_name(name);
                }
                self.entries.push(Entry {
                    fingerprint,
                    place: spool.add(text.as_bytes())?,
                    file: (self.files.len() - 1) as u32,
                    number: self.number,
                });
            }
        }
        Ok(())
    }

    /// Replaces a name by an equal one that is already in memory, if there is one.
    fn share_name(&mut self, name: &mut Arc<str>) {
        match self.names.get(name) {
            Some(known) => *name = known.clone(),
            None => drop(self.names.insert(name.clone())),
        }
    }
}

/// Collects the fingerprints and the texts of the games.
struct Collecting;

impl Job for Collecting {
    type Item = Collected;

    fn read(&self, part: Part<'_>, writer: &mut PartWriter<'_, Collected>) -> Result<(), Canceled> {
        writer.item(Collected::Begin {
            name: writer.file.into(),
            begins_file: part.start.offset() == 0,
        });
        let start = part.start;
        let (kept, source) = RawText::record(part, start.offset());
        let mut reader = Reader::starting_at(source, start);
        let mut replay = Replay::new(FingerprintReader::default());
        while let Some(read) = reader.read_game(&mut replay)? {
            let end = reader.offset();
            let text = kept.with(read.offset, end, |text| standalone(text) + "\n\n");
            if text.is_none() {
                writer.message(raw_text::too_long(writer.file, read.offset));
            }
            writer.item(Collected::Game(Box::new(read), text));
            kept.forget(end);
        }
        Ok(())
    }
}
