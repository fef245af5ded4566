//! `stress`: faults, load and hostile input at release size, one row each, with one table at the end.
//!
//! `cargo test` and the project's checks run the same properties at a small size. Here each row runs until its size is
//! reached or its time is over, and the table shows the sizes that were really run. Every row has its own process, so
//! that a crash or a hang affects nothing else.

mod age;
mod child;
mod collection;
mod meter;
mod origin;
mod outcome;
mod page;
mod program;
mod rows;
mod samples;
mod table;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;

use origin::Origin;
use page::Page;
use program::Programs;
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
    /// List the rows of a page whose code has changed since they were run, fail if one is missing or more than a release
    /// older than that code, and exit
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
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
    if let Some(path) = &asked.check {
        return check(path);
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
            &asked.earlier,
        ),
    }
}

fn write_collection(path: &Path, games: u64) -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
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

/// Says which rows of a page are older than the code that they test.
fn check(path: &Path) -> ExitCode {
    let page = match std::fs::read_to_string(path) {
        Ok(page) => page,
        Err(error) => {
            eprintln!("stress: cannot read {}: {error}", path.display());
            return ExitCode::from(3);
        }
    };
    let age = match age::of(&page, &Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")) {
        Ok(age) => age,
        Err(sentence) => {
            eprintln!("stress: {sentence}");
            return ExitCode::from(3);
        }
    };
    for line in &age.changed {
        println!("{line}");
    }
    for line in &age.too_old {
        eprintln!("{line}: run it again");
    }
    ExitCode::from(u8::from(!age.too_old.is_empty()))
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

fn run(
    rows: &[&'static Row],
    time: Duration,
    markdown: Option<&Path>,
    earlier: &[PathBuf],
) -> ExitCode {
    let mut page = Page::default();
    for path in earlier {
        match std::fs::read_to_string(path) {
            Ok(text) => page.read(&text),
            Err(error) => {
                eprintln!("stress: cannot read {}: {error}", path.display());
                return ExitCode::from(3);
            }
        }
    }
    let write = |page: &Page| match markdown
        .map(|path| (path, std::fs::write(path, page.markdown(time))))
    {
        Some((path, Err(error))) => {
            eprintln!("stress: cannot write {}: {error}", path.display());
            Err(ExitCode::from(3))
        }
        _ => Ok(()),
    };
    if let Err(code) = run_rows(rows, time, &mut page, write) {
        return code;
    }
    println!("{}", table::text(page.rows()));
    let failed = page.rows().iter().any(|(_, outcome)| outcome.is_bad());
    ExitCode::from(u8::from(failed))
}

/// Runs rows, and writes the page after each, so that its results are not lost if a later one fails.
fn run_rows(
    rows: &[&'static Row],
    time: Duration,
    page: &mut Page,
    write: impl Fn(&Page) -> Result<(), ExitCode>,
) -> Result<(), ExitCode> {
    if rows.is_empty() {
        return write(page);
    }
    let programs = Programs::build().map_err(|sentence| {
        eprintln!("stress: {sentence}");
        ExitCode::from(3)
    })?;
    let origin = Origin::of(&programs);
    for &row in rows {
        let mut outcome = child::watch(row, time);
        origin.sign(&mut outcome);
        eprintln!("{}", table::line(row, &outcome));
        for finding in &outcome.findings {
            eprintln!("      {finding}");
        }
        page.put(row, outcome);
        write(page)?;
    }
    Ok(())
}
