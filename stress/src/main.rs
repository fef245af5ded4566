//! `stress`: faults, load and hostile input at release size, one row each, with one table at the end.
//!
//! `cargo test` and the project's checks run the same properties at a small size. Here each row runs until its size is
//! reached or its time is over, and the table shows the sizes that were really run. Every row has its own process, so
//! that a crash or a hang affects nothing else.

mod child;
mod collection;
mod earlier;
mod meter;
mod outcome;
mod program;
mod report;
mod rows;
mod samples;
mod table;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;

use outcome::Outcome;
use program::Programs;
use rows::{ROWS, Row};

/// Run fault, load and hostile-input checks at release size, one row each, with one table at the end
#[derive(Debug, Parser)]
#[command(
    after_help = "Set TABIYA_SUITES to the folder of test suites for the rows that read them."
)]
struct Asked {
    /// A row like A3, a section like A, or all
    #[arg(value_name = "ROW", required_unless_present_any = ["list", "collection"], value_parser = rows_of)]
    rows: Vec<Rows>,
    /// The most time for each row; a row that reaches its size ends earlier, and one that hangs is killed after twice the
    /// time plus a quarter of an hour for building
    #[arg(long, value_name = "M", default_value = "5", value_parser = minutes)]
    minutes: Duration,
    /// Also write the table to a file, with the machine, the date and all findings
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Include the results of rows from earlier runs in the table
    #[arg(long)]
    earlier: bool,
    /// List the rows
    #[arg(long)]
    list: bool,
    /// Write games like those of a large collection to a file, for measurements, and exit
    #[arg(long, value_name = "FILE")]
    collection: Option<PathBuf>,
    /// The number of games in that file
    #[arg(
        long,
        value_name = "N",
        default_value = "334427",
        requires = "collection"
    )]
    games: u64,
    /// Run one row for the process that started this one
    #[arg(long = "in-a-process-of-its-own", hide = true)]
    child: bool,
}

/// The rows that a word stands for.
#[derive(Clone, Debug)]
struct Rows(Vec<&'static Row>);

fn main() -> ExitCode {
    let asked = Asked::parse();
    if let Some(path) = &asked.collection {
        return write_collection(path, asked.games);
    }
    if asked.list {
        for row in ROWS {
            println!("{:4} {}: {}", row.id, row.what, row.goal);
        }
        return ExitCode::SUCCESS;
    }
    let rows: Vec<&Row> = asked
        .rows
        .iter()
        .flat_map(|rows| rows.0.iter().copied())
        .collect();
    match rows[..] {
        [row] if asked.child => child::run(row, asked.minutes),
        _ => run(
            &rows,
            asked.minutes,
            asked.markdown.as_deref(),
            asked.earlier,
        ),
    }
}

fn write_collection(path: &Path, games: u64) -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let write = || -> std::io::Result<()> {
        let mut out = std::io::BufWriter::new(std::fs::File::create(path)?);
        collection::write(&root, games, &mut out)?;
        std::io::Write::flush(&mut out)
    };
    match write() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("stress: cannot write {}: {error}", path.display());
            ExitCode::from(3)
        }
    }
}

fn minutes(word: &str) -> Result<Duration, &'static str> {
    match word.parse::<f64>() {
        Ok(minutes) if minutes > 0.0 && minutes <= 100_000.0 => {
            Ok(Duration::from_secs_f64(minutes * 60.0))
        }
        _ => Err("a number above 0 is wanted"),
    }
}

/// Returns the row with a name, or all rows of a section.
fn rows_of(name: &str) -> Result<Rows, &'static str> {
    let section = |row: &Row| name == "all" || (name.len() == 1 && row.id.starts_with(name));
    let rows: Vec<_> = ROWS
        .iter()
        .filter(|row| row.id == name || section(row))
        .collect();
    if rows.is_empty() {
        return Err("there is no such row; --list shows them");
    }
    Ok(Rows(rows))
}

fn run(rows: &[&'static Row], time: Duration, markdown: Option<&Path>, earlier: bool) -> ExitCode {
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
        // In whatever order they were requested, the table lists them in the order of the plan.
        outcomes.sort_by_key(|(row, _)| ROWS.iter().position(|known| known.id == row.id));
        // After each row, so that its results are not lost if a later one fails.
        if let Some(path) = markdown
            && let Err(error) = std::fs::write(path, report::markdown(&outcomes, time))
        {
            eprintln!("stress: cannot write {}: {error}", path.display());
            return ExitCode::from(3);
        }
    }
    println!("{}", table::text(&outcomes));
    let failed = outcomes.iter().any(|(_, outcome)| outcome.is_bad());
    ExitCode::from(u8::from(failed))
}
