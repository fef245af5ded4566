//! The documentation page that a run produces, with the table and all findings, and how it is read again: a table of many
//! hours need not be run at once, nor on one machine.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::time::Duration;

use crate::outcome::Outcome;
use crate::rows::{ROWS, Row};
use crate::table::{HEAD, cells};

/// Rows with their outcomes, in the order of the plan.
#[derive(Debug, Default)]
pub(crate) struct Page(Vec<(&'static Row, Outcome)>);

/// The words before the sentence of a row that could not run, and before the one of a row that failed to.
pub(crate) const NOT_RUN: &str = "not run: ";
pub(crate) const BROKEN: &str = "broken: ";

impl Page {
    pub(crate) fn rows(&self) -> &[(&'static Row, Outcome)] {
        &self.0
    }

    /// Returns the outcome of a row.
    pub(crate) fn outcome(&self, id: &str) -> Option<&Outcome> {
        let row = self.0.iter().find(|(row, _)| row.id == id);
        row.map(|(_, outcome)| outcome)
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
        let start = |line: &'_ str, word: &str| {
            Some(line.strip_prefix(word)?.split_once(": ")?.0.to_owned())
        };
        let machines: HashMap<String, &str> = text
            .lines()
            .filter_map(|line| Some((start(line, "- machine ")?, line.split_once(": ")?.1)))
            .collect();
        for line in text.lines().filter(|line| line.starts_with("| ")) {
            let line = line.trim_start_matches("| ").trim_end_matches(" |");
            let cells: Vec<String> = line
                .split(" | ")
                .map(|cell| cell.replace("\\|", "|"))
                .collect();
            let Ok(cells) = <[String; HEAD.len()]>::try_from(cells) else {
                continue;
            };
            let Some(row) = ROWS.iter().find(|row| row.id == cells[0]) else {
                continue;
            };
            let findings = text
                .lines()
                .filter(|line| start(line, "- ").is_some_and(|id| id == row.id));
            let findings = findings.filter_map(|line| Some(line.split_once(": ")?.1.to_owned()));
            let mut outcome = outcome(&cells, findings.collect());
            if let Some(machine) = machines.get(&outcome.machine) {
                (*machine).clone_into(&mut outcome.machine);
            }
            self.put(row, outcome);
        }
    }

    /// Returns the text of the page.
    pub(crate) fn markdown(&self, time: Duration) -> String {
        let mut text = String::from("# Reliability\n\n");
        text += "Faults, load and hostile input at the sizes of a release. The sizes and figures are those really seen; a \
                 row ends when its size is reached or its time is over, and failures are listed below the table. Each row \
                 names the version and the commit that it was run with, the day, and the machine. Made by\n\n";
        let minutes = time.as_secs_f64() / 60.0;
        let _ = writeln!(
            text,
            "    cargo run --release -p stress -- all --minutes {minutes} --earlier docs/reliability.md --markdown docs/reliability.md\n\n\
             `target/debug/stress --check docs/reliability.md` lists the rows whose code has changed since, and fails if one is \
             more than a release older than that code.\n"
        );
        let bad = self.0.iter().filter(|(_, outcome)| outcome.is_bad());
        let skipped = self
            .0
            .iter()
            .filter(|(_, outcome)| outcome.impossible.is_some());
        let _ = writeln!(
            text,
            "- rows: {}, of which {} with failures and {} that could not run here",
            self.0.len(),
            bad.count(),
            skipped.count()
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
        let _ = writeln!(text, "\n| {} |", HEAD.join(" | "));
        let _ = writeln!(text, "|{}", " --- |".repeat(HEAD.len()));
        for (row, outcome) in &self.0 {
            let mut cells = cells(row, outcome);
            let number = machines
                .iter()
                .position(|machine| *machine == outcome.machine);
            cells[HEAD.len() - 1] = number.map_or(0, |index| index + 1).to_string();
            let cells = cells.map(|cell| cell.replace('|', "\\|"));
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        }
        text += "\n## Findings\n\n";
        let findings: Vec<String> = self
            .0
            .iter()
            .flat_map(|(row, outcome)| findings(row, outcome))
            .collect();
        text += &if findings.is_empty() {
            "None.\n".to_owned()
        } else {
            findings.concat()
        };
        text
    }
}

/// Returns the lines about what a row found.
fn findings(row: &Row, outcome: &Outcome) -> Vec<String> {
    let line = |finding: &String| format!("- {}: {}\n", row.id, finding.replace('`', "'"));
    outcome.findings.iter().map(line).collect()
}

/// Returns the outcome in the cells of a row.
fn outcome(cells: &[String; HEAD.len()], findings: Vec<String>) -> Outcome {
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
    let number = |text: &String| text.replace(',', "").parse().unwrap_or(0);
    let mut outcome = Outcome {
        tried: number(tried),
        failed: number(failed),
        findings,
        took: Duration::from_secs(number(seconds)),
        version: version.clone(),
        commit: commit.clone(),
        date: date.clone(),
        machine: machine.clone(),
        ..Outcome::default()
    };
    if let Some(sentence) = worst.strip_prefix(NOT_RUN) {
        outcome.impossible = Some(sentence.to_owned());
    } else if let Some(sentence) = worst.strip_prefix(BROKEN) {
        outcome.broken = Some(sentence.to_owned());
    } else if !worst.is_empty() {
        outcome.figures.push(worst.clone());
    }
    outcome
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
            took: Duration::from_secs(77),
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
        assert_eq!(read.rows().len(), 3);
        for (row, outcome) in page.rows() {
            assert_eq!(read.outcome(row.id), Some(outcome), "{}", row.id);
        }
        assert_eq!(read.markdown(Duration::from_secs(90)), text);
    }

    #[test]
    fn a_later_page_counts_but_not_where_a_row_could_not_run() {
        let (mut page, mut later) = (Page::default(), Page::default());
        page.put(&ROWS[0], outcome("old"));
        page.put(&ROWS[1], outcome("old"));
        later.put(&ROWS[0], outcome("new"));
        let impossible = Outcome {
            impossible: Some("no such program".to_owned()),
            ..outcome("new")
        };
        later.put(&ROWS[1], impossible.clone());
        later.put(&ROWS[2], impossible);
        page.read(&later.markdown(Duration::ZERO));
        let machine = |index: usize| {
            page.outcome(ROWS[index].id)
                .map(|outcome| &*outcome.machine)
        };
        assert_eq!(
            [0, 1, 2].map(machine),
            [Some("new"), Some("old"), Some("new")]
        );
    }
}
