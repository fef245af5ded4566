//! `stress`: faults, load and hostile input at the sizes of a release, one row each, ending with one table.
//!
//! `cargo test` and the project's checks run the same properties at a small size. Here each row goes on until its size
//! is reached or its time is over, and the table says which sizes really were run.

mod meter;
mod program;
mod rows;
mod samples;
mod table;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use meter::{Meter, Outcome};
use program::Programs;
use rows::{ROWS, Row};

const HELP: &str = "\
Usage: cargo run --release -p stress -- ROW... [--minutes M] [--markdown FILE]
  ROW            a row like A3, a section like A, or all
  --minutes M    the most time for each row (default 5); a row that reaches its size ends earlier
  --markdown F   also write the table to a file
  --list         the rows there are
Set TABIYA_SUITES to the folder of test suites for the rows that read them.";

fn main() -> ExitCode {
    match parse(std::env::args().skip(1)) {
        Ok(Some(wish)) => run(&wish),
        Ok(None) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("stress: {sentence}\n{HELP}");
            ExitCode::from(2)
        }
    }
}

/// What was asked for.
struct Wish {
    rows: Vec<&'static Row>,
    time: Duration,
    markdown: Option<String>,
}

fn parse(mut words: impl Iterator<Item = String>) -> Result<Option<Wish>, String> {
    let mut wish = Wish {
        rows: Vec::new(),
        time: Duration::from_secs(300),
        markdown: None,
    };
    while let Some(word) = words.next() {
        match word.as_str() {
            "--help" | "-h" => {
                println!("{HELP}");
                return Ok(None);
            }
            "--list" => {
                for row in ROWS {
                    println!("{:4} {}", row.id, row.what);
                }
                return Ok(None);
            }
            "--minutes" => {
                let minutes: f64 = words
                    .next()
                    .and_then(|word| word.parse().ok())
                    .filter(|minutes| *minutes > 0.0 && *minutes <= 100_000.0)
                    .ok_or("--minutes needs a number above 0")?;
                wish.time = Duration::from_secs_f64(minutes * 60.0);
            }
            "--markdown" => wish.markdown = Some(words.next().ok_or("--markdown needs a file")?),
            name => {
                let of_name = ROWS
                    .iter()
                    .filter(|row| name == "all" || row.id == name || row.id.starts_with(name));
                let before = wish.rows.len();
                wish.rows.extend(of_name);
                if wish.rows.len() == before {
                    return Err(format!("there is no row {name:?}; --list shows them"));
                }
            }
        }
    }
    if wish.rows.is_empty() {
        return Err("which rows?".to_owned());
    }
    Ok(Some(wish))
}

fn run(wish: &Wish) -> ExitCode {
    let programs = match Programs::build() {
        Ok(programs) => programs,
        Err(sentence) => {
            eprintln!("stress: {sentence}");
            return ExitCode::from(3);
        }
    };
    // A panic is a finding, and its place is wanted, but not a page of it for each.
    std::panic::set_hook(Box::new(|_| {}));
    let mut outcomes = Vec::new();
    for row in &wish.rows {
        let mut meter = Meter::new(row.id, wish.time);
        let begun = Instant::now();
        let ended = (row.run)(&mut meter, &programs);
        let outcome = meter.finish(ended, begun.elapsed());
        eprintln!("{}", table::line(row, &outcome));
        for finding in &outcome.findings {
            eprintln!("      {finding}");
        }
        outcomes.push((*row, outcome));
    }
    println!("{}", table::text(&outcomes));
    if let Some(path) = &wish.markdown
        && let Err(error) = std::fs::write(path, table::markdown(&outcomes))
    {
        eprintln!("stress: cannot write {path}: {error}");
        return ExitCode::from(3);
    }
    let failed = |(_, outcome): &(&Row, Outcome)| outcome.failed > 0 || outcome.broken.is_some();
    ExitCode::from(u8::from(outcomes.iter().any(failed)))
}
