//! Files of puzzles: reading them with progress, and adding what suits to the record.

use std::fmt;
use std::io::BufReader;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::Args;
use serde::Serialize;
use tabiya_front::failure::Failure;
use tabiya_front::flags::random;
use tabiya_front::input_file::{InputFile, TextReader};
use tabiya_front::output::{answer, say};
use tabiya_front::ranges::{Numbers, RangeError, counted};
use tabiya_front::training::{self, Learner, Training};
use tabiya_train::csv::{CsvError, NumberedRow, PuzzleFault, PuzzleRow, Rows};
use tabiya_train::item::Item;
use tabiya_train::memory::MAX_ITEMS;
use tabiya_train::puzzle::Puzzle;
use tabiya_train::rating::Rater;
use tabiya_train::trainer::Options;

use crate::progress::{Measure, Progress};

/// How many exercises are stored at once.
const BATCH: usize = 500;

/// Which puzzles suit.
#[derive(Debug, Args)]
pub(super) struct Choice {
    /// Only puzzles of this rating, such as 1300-1600
    #[arg(long, value_name = "RANGE")]
    rating: Option<Ratings>,
    /// Only puzzles with one of these themes, such as fork,mateIn2
    #[arg(long, value_name = "THEMES", value_delimiter = ',')]
    themes: Vec<String>,
    /// Add at most so many puzzles [default: 1000]
    #[arg(long, value_name = "N")]
    count: Option<NonZeroUsize>,
}

/// How many puzzles are added if nobody says.
const COUNT: usize = 1_000;

/// A range of ratings, with a hyphen or with two dots.
#[derive(Clone, Debug)]
struct Ratings(Numbers);

impl FromStr for Ratings {
    type Err = RangeError;

    fn from_str(text: &str) -> Result<Ratings, RangeError> {
        text.replace('-', "..").parse().map(Ratings)
    }
}

impl Choice {
    /// Whether nothing was chosen.
    pub(super) fn is_any(&self) -> bool {
        self.rating.is_none() && self.themes.is_empty() && self.count.is_none()
    }

    /// Whether a rating suits; `None` if that is not known.
    fn suits_rating(&self, rating: Option<u32>) -> Option<bool> {
        let Some(Ratings(wanted)) = &self.rating else {
            return Some(true);
        };
        rating.map(|rating| wanted.contains(rating.into()))
    }

    fn suits_themes(&self, themes: &[String]) -> bool {
        let is_wanted = |theme: &String| {
            let mut wanted = self.themes.iter();
            wanted.any(|wanted| wanted.trim().eq_ignore_ascii_case(theme))
        };
        self.themes.is_empty() || themes.iter().any(is_wanted)
    }
}

/// An opened file of puzzles.
pub(super) struct PuzzleFile<'a> {
    name: String,
    rows: Rows<BufReader<TextReader<'a>>>,
    count: &'a AtomicU64,
    size: Option<u64>,
    pub(super) progress: Progress,
}

impl<'a> PuzzleFile<'a> {
    /// Opens a file. The bytes read are counted.
    pub(super) fn open(path: &Path, count: &'a AtomicU64) -> Result<PuzzleFile<'a>, Failure> {
        let input = InputFile::new(path);
        let failed = |error| Failure::system(&input.name, &error);
        let text = input.open(count).map_err(failed)?;
        let rows = Rows::new(BufReader::new(text)).map_err(|error| match error {
            CsvError::Io(error) => failed(error),
            other @ (CsvError::Header | _) => Failure::Unusable(format!("{}: {other}", input.name)),
        })?;
        Ok(PuzzleFile {
            rows,
            count,
            size: input.size(),
            name: input.name,
            progress: Progress::new(Measure::Bytes),
        })
    }

    /// The next row with the number of its line; `None` at the end of the file.
    pub(super) fn next_row(&mut self) -> Result<Option<NumberedRow>, Failure> {
        self.progress
            .reach(self.count.load(Ordering::Relaxed), self.size);
        let row = self.rows.next().transpose();
        row.map_err(|error| Failure::system(&self.name, &error))
    }
}

/// The rows that are no puzzles.
#[derive(Debug, Default)]
pub(super) struct Unreadable {
    pub(super) count: u64,
    first: Option<(u64, PuzzleFault)>,
}

impl Unreadable {
    pub(super) fn add(&mut self, line: u64, fault: PuzzleFault) {
        self.count += 1;
        self.first.get_or_insert((line, fault));
    }
}

/// Such as `; 2 rows cannot be read, the first is line 17: move 2 is not legal`; nothing if all can.
impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((line, fault)) = self.first else {
            return Ok(());
        };
        let rows = counted(self.count, "row", "rows");
        write!(
            f,
            "; {rows} cannot be read, the first is line {line}: {fault}"
        )
    }
}

/// What was done.
#[derive(Debug, Default, Serialize)]
struct Added {
    read: u64,
    added: usize,
    known: u64,
    unreadable: u64,
}

/// Adds the puzzles of files that suit.
pub(super) fn add(
    files: &[PathBuf],
    choice: &Choice,
    json: bool,
    learner: &Learner,
) -> Result<(), Failure> {
    let opened = training::open(Options::default(), learner, random(None));
    let mut adder = Adder {
        training: opened.map_err(Failure::unusable)?,
        choice,
        rater: None,
        batch: Vec::new(),
        added: Added::default(),
        unreadable: Unreadable::default(),
    };
    for notice in &adder.training.notices {
        say(&format!("tabiya: {notice}"));
    }
    let done = files.iter().try_for_each(|file| adder.add_file(file));
    // What was found before a failure is stored.
    let stored = adder.store();
    let Adder {
        mut added,
        unreadable,
        training,
        ..
    } = adder;
    added.unreadable = unreadable.count;
    let known = match added.known {
        0 => String::new(),
        known => format!("; {known} known already"),
    };
    let full = match training.trainer.memory().count() >= MAX_ITEMS {
        true => format!("; the record is full with {MAX_ITEMS} exercises"),
        false => String::new(),
    };
    let sentence = format!(
        "{} added of {}{known}{unreadable}{full}.",
        counted(added.added as u64, "tactic", "tactics"),
        counted(added.read, "puzzle", "puzzles"),
    );
    answer(json, &added, [sentence])?;
    done.and(stored)?;
    match added.added {
        0 => Err(Failure::No("no puzzle that suits was new".to_owned())),
        _ => Ok(()),
    }
}

/// A record that is added to.
struct Adder<'a> {
    training: Training,
    choice: &'a Choice,
    /// Made once a puzzle has no rating.
    rater: Option<Rater>,
    batch: Vec<Item>,
    added: Added,
    unreadable: Unreadable,
}

impl Adder<'_> {
    fn add_file(&mut self, path: &Path) -> Result<(), Failure> {
        let count = AtomicU64::new(0);
        let mut file = PuzzleFile::open(path, &count)?;
        while !self.is_done()
            && let Some((line, row)) = file.next_row()?
        {
            self.added.read += 1;
            match row.and_then(|row| self.item(&row)) {
                Ok(Some(item)) => self.batch.push(item),
                Ok(None) => {}
                Err(fault) => self.unreadable.add(line, fault),
            }
            if self.batch.len() >= BATCH || self.is_done() {
                self.store()?;
            }
        }
        Ok(())
    }

    /// Whether there are enough, counting those that are to be stored.
    fn is_done(&self) -> bool {
        let count = self.added.added + self.batch.len();
        count >= self.choice.count.map_or(COUNT, NonZeroUsize::get)
            || self.training.trainer.memory().count() >= MAX_ITEMS
    }

    /// The exercise of a row; `None` if it does not suit.
    fn item(&mut self, row: &PuzzleRow) -> Result<Option<Item>, PuzzleFault> {
        // Most rows of a large file end here.
        let suits = self.choice.suits_rating(row.rating) != Some(false)
            && (row.themes.is_empty() || self.choice.suits_themes(&row.themes));
        if !suits {
            return Ok(None);
        }
        let mut item = Puzzle::try_from(row)?.item(row);
        if !self.choice.suits_themes(&item.themes) {
            return Ok(None);
        }
        if item.rating.is_none() {
            self.rater.get_or_insert_default().complete(&mut item);
        }
        let suits = self.choice.suits_rating(item.rating).unwrap_or_default();
        Ok(Some(item).filter(|_| suits))
    }

    /// Stores what was found, at once.
    fn store(&mut self) -> Result<(), Failure> {
        let Training {
            trainer, record, ..
        } = &mut self.training;
        let before = trainer.memory().count();
        let found = self.batch.len();
        let entries = trainer.add(self.batch.drain(..), training::now());
        let new = trainer.memory().count() - before;
        self.added.added += new;
        self.added.known += (found - new) as u64;
        record.append(&entries).map_err(Failure::unusable)
    }
}
