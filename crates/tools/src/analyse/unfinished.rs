//! The games that an interrupted run has finished, to be taken over by the next one.
//!
//! A file being written has a temporary name beside its final one, and keeps it if the program is killed. It is only
//! read here, so that a program that still writes to it is not disturbed.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use tabiya_game::pgn::{PgnGame, ReadSource, RecordReader, Text};
use tabiya_game::{Node, Record};
use tabiya_store::disk;

use super::Analyse;
use super::result_writer::numbered_path;
use crate::pgn::raw_text::{RawText, Recording};

/// The tags that an analysis writes.
const OWN_TAGS: [&str; 4] = [
    "Annotator",
    "AnalysisError",
    "WhiteAccuracy",
    "BlackAccuracy",
];

/// The games of an interrupted run in order, for as long as they match those of this run.
pub(super) struct Unfinished {
    reader: RecordReader<Recording<ReadSource<io::Take<File>>>>,
    kept: RawText,
    /// The flags and the engine of this run.
    args: Analyse,
    engine: String,
}

/// The files that interrupted runs with the same output have left.
pub(super) fn leftovers(out: &Path) -> Vec<PathBuf> {
    let own = disk::draft_of(out);
    let name = out.file_name().and_then(|name| name.to_str());
    let (Some(name), Ok(entries)) = (name, fs::read_dir(disk::folder_of(out))) else {
        return Vec::new();
    };
    let is_draft = |path: &PathBuf| {
        let file = path.file_name().and_then(|file| file.to_str());
        let number = file
            .and_then(|file| file.strip_prefix(&format!(".{name}.")))
            .and_then(|rest| rest.strip_suffix(".part"));
        number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| *path != own && is_draft(path))
        .collect();
    // The largest comes first.
    let length = |path: &PathBuf| path.symlink_metadata().map_or(0, |data| data.len());
    found.sort_by_key(|path| std::cmp::Reverse(length(path)));
    found
}

impl Unfinished {
    /// Opens what an earlier run with the same output and engine left, if anything.
    pub(super) fn open(args: Analyse, engine: String) -> Option<Unfinished> {
        let path = leftovers(args.out.as_deref()?).into_iter().next()?;
        let is_file = path.symlink_metadata().is_ok_and(|data| data.is_file());
        let file = File::open(&path).ok().filter(|_| is_file)?;
        let length = whole_length(file).ok()?;
        let file = File::open(&path).ok()?;
        let (kept, source) = RawText::record(ReadSource::new(file.take(length)), 0);
        Some(Unfinished {
            reader: RecordReader::new(source),
            kept,
            args,
            engine,
        })
    }

    /// The text of the next game, if it is this one and has its picture where pictures are wanted. A picture is made
    /// from the evaluations, which the text does not hold.
    pub(super) fn next(&mut self, number: usize, game: &PgnGame) -> Option<String> {
        let found = self.reader.read().ok()??;
        let end = self.reader.offset();
        let text = self.kept.with(found.offset, end, |text| {
            Text::comment(text).decode().into_owned()
        });
        self.kept.forget(end);
        let is_analysed = is_by(&found.record, &self.engine)
            && text
                .as_ref()
                .is_some_and(|text| text.ends_with(found.record.result().as_str()));
        let is_marked = found.record.tags().get("AnalysisError").is_some();
        let is_same = is_same_game(&found.record, &game.record);
        let is_drawn = |svg: &PathBuf| numbered_path(svg, number).is_file();
        let is_finished = is_analysed && self.args.svg.as_ref().is_none_or(is_drawn);
        text.filter(|_| is_same && (is_finished || is_marked))
    }
}

/// How much of a file is complete: games are written as a whole, each followed by an empty line.
fn whole_length(file: File) -> io::Result<u64> {
    let mut file = BufReader::new(file);
    let (mut whole, mut length) = (0, 0);
    let mut line = Vec::new();
    while file.read_until(b'\n', &mut line)? > 0 {
        length += line.len() as u64;
        if line == b"\n" {
            whole = length;
        }
        line.clear();
    }
    Ok(whole)
}

/// Whether this engine was the last annotator of a game.
fn is_by(record: &Record, engine: &str) -> bool {
    let annotator = record.tags().get("Annotator");
    annotator.is_some_and(|names| names.split(':').next_back() == Some(engine))
}

/// Whether two records are of one game, ignoring annotations.
fn is_same_game(one: &Record, other: &Record) -> bool {
    one.start() == other.start()
        && foreign_tags(one).eq(foreign_tags(other))
        && one
            .main_line()
            .map(Node::step)
            .eq(other.main_line().map(Node::step))
}

/// The tags that an analysis does not write.
fn foreign_tags(record: &Record) -> impl Iterator<Item = (&str, &str)> {
    let tags = record.tags().iter();
    tags.filter(|(name, _)| !OWN_TAGS.contains(name))
}
