//! Fits the ratings of exercises (`crates/train/src/rating.rs`) to puzzles that people have rated.
//!
//!     exercises features THREADS PUZZLES.csv FEATURES.tsv
//!     exercises fit FEATURES.tsv
//!     exercises themes PUZZLES.csv
//!
//! The first command writes what the built-in engine says about each puzzle, in an order that looks random, and goes on where
//! it was stopped. The second one fits a linear model with hinges to it. A fifth of the puzzles, chosen by a hash of their IDs,
//! is never used for that: the errors that count are those on it. The third one compares the themes that are found with
//! those that the puzzles have.

mod fit;

use std::collections::{BTreeMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tabiya_train::csv::{PuzzleRow, Rows};
use tabiya_train::puzzle::Puzzle;
use tabiya_train::rating::Rater;
use tabiya_train::themes;

const USAGE: &str = "usage: exercises features THREADS PUZZLES.csv FEATURES.tsv | fit FEATURES.tsv | themes PUZZLES.csv";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["features", threads, puzzles, out] => match threads.parse() {
            Ok(threads) => write_features(threads, puzzles, out),
            Err(_) => Err(io::Error::other(USAGE)),
        },
        ["fit", features] => fit::run(features),
        ["themes", puzzles] => compare_themes(puzzles),
        _ => Err(io::Error::other(USAGE)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("exercises: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A hash of an ID: FNV-1a, with its bits mixed.
fn hash(id: &str) -> u64 {
    let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    let hash = id.bytes().fold(0xCBF2_9CE4_8422_2325, fold);
    (hash ^ (hash >> 31)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 8
}

fn read(puzzles: &str) -> io::Result<Vec<(Puzzle, PuzzleRow)>> {
    let mut rows = Vec::new();
    for row in Rows::new(BufReader::new(File::open(puzzles)?)).map_err(io::Error::other)? {
        let (number, row) = row?;
        match row.and_then(|row| Ok((Puzzle::try_from(&row)?, row))) {
            Ok(row) => rows.push(row),
            Err(fault) => eprintln!("line {number}: {fault}"),
        }
    }
    Ok(rows)
}

/// Prints how often a theme that is found is a label, and how often a label is found.
fn compare_themes(puzzles: &str) -> io::Result<()> {
    // By theme: found and a label, found, a label.
    let mut counts: BTreeMap<String, [u32; 3]> = BTreeMap::new();
    let mut rows = read(puzzles)?;
    rows.retain(|(_, row)| !row.themes.is_empty());
    for (puzzle, row) in rows {
        let last = Some((&puzzle.before, puzzle.last));
        let found = themes::of(&puzzle.position, &puzzle.solution, last);
        for theme in &row.themes {
            counts.entry(theme.clone()).or_default()[2] += 1;
        }
        for theme in found {
            let count = counts.entry(theme.to_owned()).or_default();
            count[1] += 1;
            count[0] += u32::from(row.themes.iter().any(|label| label == theme));
        }
    }
    for (theme, [both, found, labels]) in counts {
        if found > 0 {
            let share = |of: u32| f64::from(both) / f64::from(of.max(1));
            let (precision, recall) = (share(found), share(labels));
            println!("{theme:18} precision {precision:.2}  recall {recall:.2}  {labels} labels");
        }
    }
    Ok(())
}

fn write_features(threads: usize, puzzles: &str, out: &str) -> io::Result<()> {
    let known: HashSet<String> = match File::open(out) {
        Ok(file) => {
            let lines = BufReader::new(file).lines().map_while(Result::ok);
            let ids = lines.filter_map(|line| Some(line.split_once('\t')?.0.to_owned()));
            ids.collect()
        }
        Err(_) => HashSet::new(),
    };
    let mut rows = read(puzzles)?;
    rows.retain(|(_, row)| row.rating.is_some() && !known.contains(&row.id));
    // Another order than the one that sets puzzles aside.
    rows.sort_by_cached_key(|(_, row)| hash(&format!("order of {}", row.id)));
    let file = OpenOptions::new().create(true).append(true).open(out)?;
    let (file, next) = (Mutex::new(file), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                let mut rater = Rater::new();
                while let Some((puzzle, row)) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let Puzzle {
                        position, solution, ..
                    } = puzzle;
                    let Some(features) = rater.features(position, solution) else {
                        continue;
                    };
                    let mut line = format!("{}\t{}", row.id, row.rating.unwrap_or_default());
                    let known = fit::columns(&features);
                    for value in known.into_iter().chain(fit::others(puzzle)) {
                        line.push_str(&format!("\t{value:.4}"));
                    }
                    line.push('\n');
                    if let Ok(mut file) = file.lock()
                        && let Err(error) = file.write_all(line.as_bytes())
                    {
                        eprintln!("{out}: {error}");
                        return;
                    }
                }
            });
        }
    });
    Ok(())
}
