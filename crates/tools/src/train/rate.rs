//! `tabiya train rate`: estimates how hard puzzles are, and how far off the estimates are if their ratings are known.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use clap::Args;
use serde::Serialize;
use tabiya_front::failure::Failure;
use tabiya_front::output::Output;
use tabiya_front::ranges::counted;
use tabiya_play::threads;
use tabiya_rules::text::clean;
use tabiya_train::csv::NumberedRow;
use tabiya_train::csv::PuzzleFault;
use tabiya_train::puzzle::Puzzle;
use tabiya_train::rating::{Rater, accuracy};

use super::puzzles::{PuzzleFile, Unreadable};

pub(super) const EXAMPLES: &str = "\
Examples:
  tabiya train rate puzzles.csv
  tabiya train rate lichess_db_puzzle.csv.zst --json

Each line has the ID of a puzzle, its rating in the file or -, and the estimate. The built-in engine searches
each puzzle for some 20 ms and estimates by what it finds, without having seen a person try; docs/training.md
says how. Columns and compression are as for `tabiya train add`. At the end come the mean absolute error and
Spearman's rank correlation over the puzzles with a rating.

Keys of --json: for each row line, id, rating (or null) and estimate, or line and fault; at the end puzzles,
unreadable, rated, mae and spearman (null for fewer than two rated). Exit code 1 means that there is no
puzzle.";

#[derive(Debug, Args)]
pub struct Rate {
    /// A file of puzzles (.csv), also compressed; `-` is stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

/// How many rows each thread has to do at a time.
const ROWS_PER_THREAD: usize = 16;

/// The most rows that are named one by one; all are counted, and --json names all.
const MOST_NAMED: u64 = 20;

/// What came of a row.
type Estimated = Result<Rated, PuzzleFault>;

#[derive(Debug, Serialize)]
struct Rated {
    line: u64,
    id: String,
    rating: Option<u32>,
    estimate: u32,
}

#[derive(Serialize)]
struct FaultJson {
    line: u64,
    fault: String,
}

#[derive(Serialize)]
struct TotalsJson {
    puzzles: u64,
    unreadable: u64,
    rated: usize,
    mae: Option<f64>,
    spearman: Option<f64>,
}

pub(super) fn run(args: &Rate) -> Result<(), Failure> {
    let count = AtomicU64::new(0);
    let mut file = PuzzleFile::open(&args.file, &count)?;
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let mut raters: Vec<Rater> = (0..cores).map(|_| Rater::new()).collect();
    let mut output = Output::stdout();
    let (mut pairs, mut puzzles) = (Vec::new(), 0);
    let mut unreadable = Unreadable::default();
    loop {
        let mut rows = Vec::new();
        while rows.len() < cores * ROWS_PER_THREAD
            && let Some(row) = file.next_row()?
        {
            rows.push((row, OnceLock::new()));
        }
        if rows.is_empty() {
            break;
        }
        rate(&rows, &mut raters);
        let mut print = || -> Result<(), Failure> {
            for ((line, _), estimated) in rows.drain(..) {
                match estimated.into_inner() {
                    Some(Ok(rated)) => {
                        puzzles += 1;
                        let known = rated.rating.map(f64::from);
                        pairs.extend(known.map(|known| (known, f64::from(rated.estimate))));
                        output.answer(args.json, &rated, [text(&rated)])?;
                    }
                    Some(Err(fault)) => {
                        unreadable.add(line, fault);
                        let fault = fault.to_string();
                        if args.json || unreadable.count <= MOST_NAMED {
                            let sentence = format!("line {line}: {fault}");
                            output.answer(args.json, &FaultJson { line, fault }, [sentence])?;
                        }
                    }
                    // Each row was taken by one of the threads.
                    None => {}
                }
            }
            output.flush()
        };
        file.progress.aside(&mut print)?;
    }
    file.progress.close();
    let found = accuracy(&pairs);
    let round = |value: f64, unit: f64| (value * unit).round() / unit;
    let totals = TotalsJson {
        puzzles,
        unreadable: unreadable.count,
        rated: pairs.len(),
        mae: found.map(|it| round(it.mae, 10.0)),
        spearman: found.map(|it| round(it.spearman, 1e4)),
    };
    let error = found.map_or(String::new(), |it| {
        format!(
            "; {} with a rating: MAE {:.1}, Spearman {:.4}",
            pairs.len(),
            it.mae,
            it.spearman
        )
    });
    let sentence = format!(
        "{}{error}{unreadable}.",
        counted(puzzles, "puzzle", "puzzles")
    );
    output.answer(args.json, &totals, [sentence])?;
    output.finish()?;
    match puzzles {
        0 => Err(Failure::No("there is no puzzle in this file".to_owned())),
        _ => Ok(()),
    }
}

/// The line of a puzzle.
fn text(rated: &Rated) -> String {
    let rating = rated.rating.map_or("-".to_owned(), |it| it.to_string());
    let id = clean(&rated.id);
    let id = if id.is_empty() { "-" } else { &id };
    format!("{id} {rating} {}", rated.estimate)
}

/// Rates rows with all raters at once.
fn rate(rows: &[(NumberedRow, OnceLock<Estimated>)], raters: &mut [Rater]) {
    let next = AtomicUsize::new(0);
    let work = |rater: &mut Rater| {
        while let Some(((line, row), place)) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
            let estimated = row.clone().and_then(|row| {
                let puzzle = Puzzle::try_from(&row)?;
                let features = rater.features(&puzzle.position, &puzzle.solution);
                Ok(Rated {
                    line: *line,
                    id: row.id,
                    rating: row.rating,
                    estimate: features.unwrap_or_default().rating(),
                })
            });
            // Nobody else has this row.
            let _ = place.set(estimated);
        }
    };
    let Some((own, others)) = raters.split_first_mut() else {
        return;
    };
    std::thread::scope(|scope| {
        for rater in others {
            // With fewer threads it takes longer.
            if threads::spawn_scoped(scope, || work(rater)).is_err() {
                break;
            }
        }
        work(own);
    });
}
