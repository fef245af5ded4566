//! The documentation page that a run produces, with the table and all findings, and how it is read again: a table of many
//! hours need not be run at once, nor on one machine.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::time::Duration;

use crate::meter::{Outcome, thousands};
use crate::process::{Program, root, said};
use crate::rows::{ROWS, Row};

/// The columns of the table.
const HEAD: [&str; 11] = [
    "row",
    "what",
    "tried",
    "failed",
    "worst figures",
    "goal",
    "seconds",
    "version",
    "commit",
    "date",
    "machine",
];

/// The words before the sentence of a row that could not run, and before the one of a row that failed to.
const NOT_RUN: &str = "not run: ";
const BROKEN: &str = "broken: ";

/// Rows with their outcomes, in the order of the plan.
#[derive(Debug, Default)]
pub(crate) struct Page(Vec<(&'static Row, Outcome)>);

impl Page {
    /// Returns the outcome of a row.
    pub(crate) fn outcome(&self, id: &str) -> Option<&Outcome> {
        let row = self.0.iter().find(|(row, _)| row.id == id);
        row.map(|(_, outcome)| outcome)
    }

    pub(crate) fn has_failures(&self) -> bool {
        self.0.iter().any(|(_, outcome)| outcome.is_bad())
    }

    /// Adds the outcome of a row in place of an earlier one, unless the row could not run this time.
    pub(crate) fn put(&mut self, row: &'static Row, outcome: Outcome) {
        if outcome.impossible.is_some() && self.outcome(row.id).is_some() {
            return;
        }
        self.0.retain(|(known, _)| known.id != row.id);
        self.0.push((row, outcome));
        let place = |id| ROWS.iter().position(|known| known.id == id);
        self.0.sort_by_key(|(row, _)| place(row.id));
    }

    /// Adds the rows of an earlier page, each in place of one that is there. Rows that are no longer part of the plan are
    /// left out.
    pub(crate) fn read(&mut self, text: &str) {
        let notes = |start: &str| -> Vec<(String, String)> {
            let lines = text.lines().filter_map(|line| line.strip_prefix(start));
            let pairs = lines.filter_map(|line| line.split_once(": "));
            pairs
                .map(|(name, text)| (name.to_owned(), text.to_owned()))
                .collect()
        };
        let (findings, machines) = (notes("- "), HashMap::<_, _>::from_iter(notes("- machine ")));
        for line in text.lines().filter_map(|line| line.strip_prefix("| ")) {
            let cells = line.trim_end_matches(" |").split(" | ");
            let cells: Vec<String> = cells.map(|cell| cell.replace("\\|", "|")).collect();
            let Ok(cells) = <[String; HEAD.len()]>::try_from(cells) else {
                continue;
            };
            let Some(row) = ROWS.iter().find(|row| row.id == cells[0]) else {
                continue;
            };
            let mut outcome = outcome(cells);
            if let Some(machine) = machines.get(&outcome.machine) {
                outcome.machine.clone_from(machine);
            }
            let own = findings.iter().filter(|(id, _)| id == row.id);
            outcome.findings = own.map(|(_, finding)| finding.clone()).collect();
            self.put(row, outcome);
        }
    }

    /// Returns the text of the page.
    pub(crate) fn markdown(&self, time: Duration) -> String {
        let bad = self
            .0
            .iter()
            .filter(|(_, outcome)| outcome.is_bad())
            .count();
        let skipped = self
            .0
            .iter()
            .filter(|(_, outcome)| outcome.impossible.is_some())
            .count();
        let mut text = format!(
            "# Reliability\n\n\
             Faults, load and hostile input at the sizes of a release. The sizes and figures are those really seen; a row \
             ends when its size is reached or its time is over, and failures are listed below the table. Each row names the \
             version and the commit that it was run with, the day, and the machine. Made by\n\n    \
             cargo run --release -p stress -- all --minutes {minutes} --earlier docs/reliability.md --markdown docs/reliability.md\n\n\
             `target/debug/stress --check docs/reliability.md` lists the rows whose code has changed since, and fails if one is \
             more than a release, or more than {days} days, older than the newest commit to that code.\n\n\
             - rows: {rows}, of which {bad} with failures and {skipped} that could not run here\n",
            minutes = time.as_secs_f64() / 60.0,
            days = crate::age::MOST_DAYS,
            rows = self.0.len(),
        );
        let mut machines: Vec<&str> = Vec::new();
        for (_, outcome) in &self.0 {
            if !machines.contains(&&*outcome.machine) {
                machines.push(&outcome.machine);
            }
        }
        for (number, machine) in (1..).zip(&machines) {
            let _ = writeln!(text, "- machine {number}: {machine}");
        }
        let _ = writeln!(
            text,
            "\n| {} |\n|{}",
            HEAD.join(" | "),
            " --- |".repeat(HEAD.len())
        );
        for (row, outcome) in &self.0 {
            let mut cells = cells(row, outcome);
            let machine = machines
                .iter()
                .position(|machine| *machine == outcome.machine);
            cells[HEAD.len() - 1] = machine.map_or(0, |index| index + 1).to_string();
            let _ = writeln!(
                text,
                "| {} |",
                cells.map(|cell| cell.replace('|', "\\|")).join(" | ")
            );
        }
        text += "\n## Findings\n\n";
        let begin = text.len();
        for (row, outcome) in &self.0 {
            for finding in &outcome.findings {
                let _ = writeln!(text, "- {}: {}", row.id, finding.replace('`', "'"));
            }
        }
        if text.len() == begin {
            text += "None.\n";
        }
        text
    }
}

/// Returns the line for one row while the others still run.
pub(crate) fn line(row: &Row, outcome: &Outcome) -> String {
    let [id, what, tried, failed, worst, _, seconds, ..] = cells(row, outcome);
    let mut line = format!("{id:4} {what}: {tried} tried, {failed} failed; {worst} ({seconds} s)");
    for finding in &outcome.findings {
        let _ = write!(line, "\n      {finding}");
    }
    line
}

/// Returns the outcome of a row, one text for each column.
fn cells(row: &Row, outcome: &Outcome) -> [String; HEAD.len()] {
    let said =
        |word: &str, sentence: &Option<String>| Some(format!("{word}{}", sentence.as_ref()?));
    let sentences = [
        said(NOT_RUN, &outcome.impossible),
        said(BROKEN, &outcome.broken),
    ];
    let worst: Vec<_> = sentences
        .into_iter()
        .flatten()
        .chain(outcome.figures.iter().cloned())
        .collect();
    [
        row.id.to_owned(),
        row.what.to_owned(),
        thousands(outcome.tried),
        thousands(outcome.failed),
        worst.join("; "),
        row.goal.to_owned(),
        outcome.seconds.to_string(),
        outcome.version.clone(),
        outcome.commit.clone(),
        outcome.date.clone(),
        outcome.machine.clone(),
    ]
}

/// Returns the outcome in the cells of a row.
fn outcome(cells: [String; HEAD.len()]) -> Outcome {
    let [
        _,
        _,
        tried,
        failed,
        worst,
        _,
        seconds,
        version,
        commit,
        date,
        machine,
    ] = cells;
    let number = |text: String| text.replace(',', "").parse().unwrap_or(0);
    let after = |word: &str| worst.strip_prefix(word).map(str::to_owned);
    let (impossible, broken) = (after(NOT_RUN), after(BROKEN));
    let is_figure = impossible.is_none() && broken.is_none() && !worst.is_empty();
    Outcome {
        tried: number(tried),
        failed: number(failed),
        impossible,
        broken,
        figures: is_figure.then_some(worst).into_iter().collect(),
        seconds: number(seconds),
        version,
        commit,
        date,
        machine,
        ..Outcome::default()
    }
}

/// Writes into an outcome the version of the program, its commit, the day, and the machine.
pub(crate) fn sign(outcome: &mut Outcome, program: &Program) {
    let known = |text: Option<String>| text.unwrap_or_else(|| "unknown".to_owned());
    let version = said(&program.path().to_string_lossy(), &["--version"]);
    outcome.version = known(version.and_then(|line| Some(line.split(' ').nth(1)?.to_owned())));
    outcome.commit = known(said(
        "git",
        &[
            "-C",
            &root().to_string_lossy(),
            "rev-parse",
            "--short",
            "HEAD",
        ],
    ));
    outcome.date = known(said("date", &["-u", "+%Y-%m-%d"]));
    outcome.machine = machine();
}

/// Returns the machine of this run, as far as the system reports it.
fn machine() -> String {
    let field = |file: &str, name: &str| -> Option<String> {
        let text = std::fs::read_to_string(file).ok()?;
        let line = text.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let cpu =
        field("/proc/cpuinfo", "model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let memory = field("/proc/meminfo", "MemTotal")
        .and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    let memory = memory.map_or("memory unknown".to_owned(), |kib| {
        format!("{:.1} GiB", kib / 1048576.0)
    });
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let system = said("uname", &["-sr"]).unwrap_or_else(|| "system unknown".to_owned());
    let compiler = said("rustc", &["--version"]).unwrap_or_else(|| "compiler unknown".to_owned());
    format!("{cpu}, {cores} cores, {memory}, {system}, {compiler}")
}

#[cfg(test)]
mod tests {
    //! A page is read as what it was written from.

    use super::*;

    fn outcome(machine: &str) -> Outcome {
        Outcome {
            tried: 1_234_567,
            failed: 2,
            figures: vec!["1 | 2 ms; 64 MiB".to_owned()],
            findings: vec!["no end: none".to_owned(), "too late".to_owned()],
            seconds: 77,
            version: "0.2.0".to_owned(),
            commit: "abc1234".to_owned(),
            date: "2026-11-18".to_owned(),
            machine: machine.to_owned(),
            ..Outcome::default()
        }
    }

    #[test]
    fn a_page_is_read_as_it_was_written() {
        let mut page = Page::default();
        page.put(&ROWS[1], outcome("two cores: old"));
        page.put(&ROWS[0], outcome("16 cores"));
        let broken = Outcome {
            figures: Vec::new(),
            findings: Vec::new(),
            broken: Some("it hung".to_owned()),
            ..outcome("16 cores")
        };
        page.put(&ROWS[2], broken);
        let text = page.markdown(Duration::from_secs(90));
        assert!(text.contains("--minutes 1.5 "), "{text}");
        assert!(
            text.contains("- rows: 3, of which 3 with failures and 0 "),
            "{text}"
        );
        let mut read = Page::default();
        read.read(&text);
        assert_eq!(read.0.len(), 3);
        for (row, outcome) in &page.0 {
            assert_eq!(read.outcome(row.id), Some(outcome), "{}", row.id);
        }
        assert_eq!(read.markdown(Duration::from_secs(90)), text);
    }

    #[test]
    fn a_later_page_counts_but_not_where_a_row_could_not_run() {
        let (mut page, mut later) = (Page::default(), Page::default());
        let mut impossible = outcome("new");
        impossible.impossible = Some("no such program".to_owned());
        page.put(&ROWS[0], outcome("old"));
        page.put(&ROWS[1], outcome("old"));
        later.put(&ROWS[0], outcome("new"));
        later.put(&ROWS[1], impossible.clone());
        later.put(&ROWS[2], impossible);
        page.read(&later.markdown(Duration::ZERO));
        let machines = page.0.iter().map(|(_, outcome)| &*outcome.machine);
        assert_eq!(machines.collect::<Vec<_>>(), ["new", "old", "new"]);
    }
}
