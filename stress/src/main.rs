//! `stress`: faults, load and hostile input at the sizes of a release, one row each, ending with one table.
//!
//! `cargo test` and the project's checks run the same properties at a small size. Here each row goes on until its size
//! is reached or its time is over, and the table says which sizes really were run. Every row runs in a process of its
//! own, so that one that crashes or hangs costs nothing but itself.

mod child;
mod earlier;
mod meter;
mod outcome;
mod program;
mod report;
mod rows;
mod samples;
mod table;

use std::process::ExitCode;
use std::time::Duration;

use outcome::Outcome;
use program::Programs;
use rows::{ROWS, Row};

const HELP: &str = "\
Usage: cargo run --release -p stress -- ROW... [--minutes M] [--earlier] [--markdown FILE]
  ROW            a row like A3, a section like A, or all
  --minutes M    the most time for each row (default 5); a row that reaches its size ends earlier, and one that
                 hangs is ended after twice the time and a quarter of an hour for building
  --markdown F   also write the table to a file, with the machine, the date and all findings
  --earlier      the table also has the rows that were run before, as they came out then
  --list         the rows there are
Set TABIYA_SUITES to the folder of test suites for the rows that read them.";

fn main() -> ExitCode {
    match parse(std::env::args().skip(1)) {
        Ok(Wish::Nothing) => ExitCode::SUCCESS,
        Ok(Wish::Child { row, time }) => child::run(row, time),
        Ok(Wish::Rows {
            rows,
            time,
            markdown,
            earlier,
        }) => run(&rows, time, markdown.as_deref(), earlier),
        Err(sentence) => {
            eprintln!("stress: {sentence}\n{HELP}");
            ExitCode::from(2)
        }
    }
}

/// What was asked for.
enum Wish {
    /// It was answered already.
    Nothing,
    /// This process is to run one row for the one that started it.
    Child { row: &'static Row, time: Duration },
    Rows {
        rows: Vec<&'static Row>,
        time: Duration,
        markdown: Option<String>,
        /// Whether rows that were run before are in the table.
        earlier: bool,
    },
}

fn parse(mut words: impl Iterator<Item = String>) -> Result<Wish, String> {
    let mut rows: Vec<&'static Row> = Vec::new();
    let mut time = Duration::from_secs(300);
    let mut markdown = None;
    let (mut is_child, mut earlier) = (false, false);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--help" | "-h" => {
                println!("{HELP}");
                return Ok(Wish::Nothing);
            }
            "--list" => {
                for row in ROWS {
                    println!("{:4} {}: {}", row.id, row.what, row.goal);
                }
                return Ok(Wish::Nothing);
            }
            "--minutes" => time = minutes(words.next())?,
            "--markdown" => markdown = Some(words.next().ok_or("--markdown needs a file")?),
            "--earlier" => earlier = true,
            child::FLAG => is_child = true,
            name => rows.extend(rows_of(name)?),
        }
    }
    match (&rows[..], is_child) {
        ([], _) => Err("which rows?".to_owned()),
        (&[row], true) => Ok(Wish::Child { row, time }),
        _ => Ok(Wish::Rows {
            rows,
            time,
            markdown,
            earlier,
        }),
    }
}

fn minutes(word: Option<String>) -> Result<Duration, String> {
    let minutes: Option<f64> = word.and_then(|word| word.parse().ok());
    match minutes {
        Some(minutes) if minutes > 0.0 && minutes <= 100_000.0 => {
            Ok(Duration::from_secs_f64(minutes * 60.0))
        }
        _ => Err("--minutes needs a number above 0".to_owned()),
    }
}

/// A row by its name, or all of a section.
fn rows_of(name: &str) -> Result<Vec<&'static Row>, String> {
    let exact: Vec<_> = ROWS.iter().filter(|row| row.id == name).collect();
    if !exact.is_empty() {
        return Ok(exact);
    }
    let is_section = name.len() == 1;
    let of_section = |row: &&Row| name == "all" || (is_section && row.id.starts_with(name));
    let rows: Vec<_> = ROWS.iter().filter(of_section).collect();
    if rows.is_empty() {
        return Err(format!("there is no row {name:?}; --list shows them"));
    }
    Ok(rows)
}

fn run(rows: &[&'static Row], time: Duration, markdown: Option<&str>, earlier: bool) -> ExitCode {
    if let Err(sentence) = Programs::build() {
        eprintln!("stress: {sentence}");
        return ExitCode::from(3);
    }
    let mut outcomes: Vec<(&Row, Outcome)> = Vec::new();
    if earlier {
        let known = ROWS.iter().map(|row| (row, earlier::outcome(row)));
        outcomes.extend(known.filter_map(|(row, outcome)| Some((row, outcome?))));
    }
    for &row in rows {
        let outcome = child::watch(row, time);
        eprintln!("{}", table::line(row, &outcome));
        for finding in &outcome.findings {
            eprintln!("      {finding}");
        }
        if let Err(error) = earlier::keep(row, &outcome) {
            eprintln!("stress: {} is not kept for later tables: {error}", row.id);
        }
        outcomes.retain(|(known, _)| known.id != row.id);
        outcomes.push((row, outcome));
        // However they were asked for, the table has them in the order of the plan.
        outcomes.sort_by_key(|(row, _)| ROWS.iter().position(|known| known.id == row.id));
        // After each row, so that what was found is not lost with what comes later.
        if let Some(path) = markdown
            && let Err(error) = std::fs::write(path, report::markdown(&outcomes, time))
        {
            eprintln!("stress: cannot write {path}: {error}");
            return ExitCode::from(3);
        }
    }
    println!("{}", table::text(&outcomes));
    let failed = outcomes.iter().any(|(_, outcome)| outcome.is_bad());
    ExitCode::from(u8::from(failed))
}
