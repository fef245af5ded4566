//! `stress`: faults, load and hostile input at release size, one row each, with one table at the end.
//!
//! `cargo test` and the project's checks run the same properties at a small size. Here each row runs until its size is
//! reached or its time is over, and the table shows the sizes that were really run. Every row has its own process, so
//! that a crash or a hang affects nothing else.

mod age;
mod apart;
mod collection;
mod meter;
mod page;
mod process;
mod rows;

use std::fs;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;

use meter::Fault;
use page::Page;
use process::{Program, root};
use rows::{ROWS, Row};

/// Run fault, load and hostile-input checks at release size, one row each, with one table at the end
#[derive(Debug, Parser)]
#[command(
    after_help = "Rows that read suites of test data read those of the folder TABIYA_SUITES too, where it is set."
)]
struct Asked {
    /// A row like A3, a section like A, or all
    #[arg(value_name = "ROW", required_unless_present_any = ["list", "collection", "earlier", "check"], value_parser = rows_of)]
    rows: Vec<Rows>,
    /// The most time for each row; a row that reaches its size ends earlier, and one that hangs is killed after twice the
    /// time plus a quarter of an hour for building
    #[arg(long, value_name = "M", default_value = "5", value_parser = minutes)]
    minutes: Duration,
    /// Also write the table to a file, with the machines and all findings
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Include the rows of a page written earlier, unless they are run again; may be given more than once
    #[arg(long, value_name = "FILE")]
    earlier: Vec<PathBuf>,
    /// List the rows of a page whose code has changed since they were run, fail if one is missing or too much older than
    /// that code, and exit
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
    /// List the rows
    #[arg(long)]
    list: bool,
    /// Write games like those of a large collection to a file, for measurements, and exit
    #[arg(long, value_name = "FILE")]
    collection: Option<PathBuf>,
    /// The number of games in that file
    #[arg(long, value_name = "N", default_value_t = collection::GAMES, requires = "collection")]
    games: u64,
    /// Run one row for the process that started this one
    #[arg(long = "in-a-process-of-its-own", hide = true)]
    child: bool,
}

/// The rows that a word stands for.
#[derive(Clone, Debug)]
struct Rows(Vec<&'static Row>);

fn main() -> ExitCode {
    run(&Asked::parse()).unwrap_or_else(|fault| {
        eprintln!("stress: {fault}");
        ExitCode::from(3)
    })
}

fn run(asked: &Asked) -> Result<ExitCode, Fault> {
    if let Some(path) = &asked.collection {
        let mut out = BufWriter::new(fs::File::create(path)?);
        collection::write(asked.games, &mut out)?;
        out.flush()?;
    } else if let Some(path) = &asked.check {
        return check(path);
    } else if asked.list {
        for row in ROWS {
            println!("{:4} {}: {}", row.id, row.what, row.goal);
        }
    } else {
        let rows: Vec<&Row> = asked.rows.iter().flat_map(|rows| rows.0.clone()).collect();
        return match rows[..] {
            [row] if asked.child => Ok(apart::run(row, asked.minutes)),
            _ => run_rows(&rows, asked),
        };
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads a file, or names it in the error.
fn read(path: &Path) -> Result<String, Fault> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()).into())
}

/// Says which rows of a page are older than the code that they test.
fn check(path: &Path) -> Result<ExitCode, Fault> {
    let age = age::of(&read(path)?, &root())?;
    for line in &age.changed {
        println!("{line}");
    }
    for line in &age.too_old {
        eprintln!("{line}: run it again");
    }
    Ok(ExitCode::from(u8::from(!age.too_old.is_empty())))
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
    let rows = ROWS.iter().filter(|row| row.id == name || section(row));
    let rows: Vec<_> = rows.collect();
    if rows.is_empty() {
        return Err("there is no such row; --list shows them");
    }
    Ok(Rows(rows))
}

/// Runs rows, and writes the page after each, so that its results are not lost if a later one fails.
fn run_rows(rows: &[&'static Row], asked: &Asked) -> Result<ExitCode, Fault> {
    let mut page = Page::default();
    for path in &asked.earlier {
        page.read(&read(path)?);
    }
    let write = |page: &Page| match &asked.markdown {
        Some(path) => fs::write(path, page.markdown(asked.minutes)),
        None => Ok(()),
    };
    if rows.is_empty() {
        write(&page)?;
        return Ok(ExitCode::SUCCESS);
    }
    let program = Program::build()?;
    for &row in rows {
        let mut outcome = apart::watch(row, asked.minutes);
        page::sign(&mut outcome, &program);
        println!("{}", page::line(row, &outcome));
        page.put(row, outcome);
        write(&page)?;
    }
    Ok(ExitCode::from(u8::from(page.has_failures())))
}
