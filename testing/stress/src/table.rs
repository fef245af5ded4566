//! The table at the end, and the progress bar before it.

use std::fmt::Write as _;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use crate::outcome::Outcome;
use crate::page::{BROKEN, NOT_RUN};
use crate::rows::Row;

/// The columns of the table.
pub(crate) const HEAD: [&str; 11] = [
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

/// A progress bar while a row runs, if there is a terminal.
#[derive(Debug)]
pub(crate) struct Progress {
    row: &'static str,
    begun: Instant,
    time: Duration,
    is_terminal: bool,
}

impl Progress {
    pub(crate) fn new(row: &'static str, time: Duration) -> Progress {
        Progress {
            row,
            begun: Instant::now(),
            time,
            is_terminal: std::io::stderr().is_terminal(),
        }
    }

    pub(crate) fn show(&mut self, outcome: &Outcome) {
        if self.is_terminal {
            let elapsed = self.begun.elapsed();
            let part = elapsed.as_secs_f64() / self.time.as_secs_f64();
            let filled = "#".repeat((part.clamp(0.0, 1.0) * 30.0) as usize);
            eprint!(
                "\r\x1b[K{:4} [{filled:30}] {} tried, {} failed, {} s",
                self.row,
                outcome.tried,
                outcome.failed,
                elapsed.as_secs()
            );
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_terminal {
            eprint!("\r\x1b[K");
        }
    }
}

/// Returns the line for one row while the others still run.
pub(crate) fn line(row: &Row, outcome: &Outcome) -> String {
    let [id, what, tried, failed, worst, _, seconds, ..] = cells(row, outcome);
    format!("{id:4} {what}: {tried} tried, {failed} failed; {worst} ({seconds} s)")
}

pub(crate) fn text(outcomes: &[(&Row, Outcome)]) -> String {
    let mut rows = vec![HEAD.map(str::to_owned)];
    rows.extend(outcomes.iter().map(|(row, outcome)| cells(row, outcome)));
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    // Not the machine: it is a long text, and mostly this one.
    let widths: Vec<usize> = (0..HEAD.len() - 1)
        .map(|column| width(column).unwrap_or(0))
        .collect();
    let mut text = String::new();
    for row in &rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(line, "{cell:width$}  ");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Returns the outcome of a row, one text for each column.
pub(crate) fn cells(row: &Row, outcome: &Outcome) -> [String; HEAD.len()] {
    let mut worst: Vec<String> = Vec::new();
    worst.extend(
        outcome
            .impossible
            .iter()
            .map(|sentence| format!("{NOT_RUN}{sentence}")),
    );
    worst.extend(
        outcome
            .broken
            .iter()
            .map(|sentence| format!("{BROKEN}{sentence}")),
    );
    worst.extend(outcome.figures.iter().cloned());
    [
        row.id.to_owned(),
        row.what.to_owned(),
        thousands(outcome.tried),
        thousands(outcome.failed),
        worst.join("; "),
        row.goal.to_owned(),
        outcome.took.as_secs().to_string(),
        outcome.version.clone(),
        outcome.commit.clone(),
        outcome.date.clone(),
        outcome.machine.clone(),
    ]
}

/// Returns a number with commas between its thousands.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    //! Numbers as people read them.

    use super::thousands;

    #[test]
    fn commas_stand_between_thousands() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(thousands(number), text);
        }
    }
}
