//! The table at the end.

use std::fmt::Write as _;

use crate::meter::Outcome;
use crate::rows::Row;

/// One row while the others still run.
pub(crate) fn line(row: &Row, outcome: &Outcome) -> String {
    let [id, what, tried, failed, worst, _, seconds] = cells(row, outcome);
    format!("{id:4} {what}: {tried} tried, {failed} failed; {worst} ({seconds} s)")
}

pub(crate) fn text(outcomes: &[(&Row, Outcome)]) -> String {
    let mut rows = vec![
        [
            "row",
            "what",
            "tried",
            "failed",
            "worst figure",
            "goal",
            "s",
        ]
        .map(str::to_owned),
    ];
    rows.extend(outcomes.iter().map(|(row, outcome)| cells(row, outcome)));
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..7).map(|column| width(column).unwrap_or(0)).collect();
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

pub(crate) fn markdown(outcomes: &[(&Row, Outcome)]) -> String {
    let mut text = String::from(
        "| row | what | tried | failed | worst figure | goal | seconds |\n| --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for (row, outcome) in outcomes {
        let _ = writeln!(text, "| {} |", cells(row, outcome).join(" | "));
    }
    text
}

fn cells(row: &Row, outcome: &Outcome) -> [String; 7] {
    let worst = match (&outcome.impossible, &outcome.broken) {
        (Some(sentence), _) => format!("not run: {sentence}"),
        (None, Some(sentence)) => format!("broken: {sentence}"),
        (None, None) => outcome.worst.clone(),
    };
    [
        row.id.to_owned(),
        row.what.to_owned(),
        outcome.tried.to_string(),
        outcome.failed.to_string(),
        worst,
        row.goal.to_owned(),
        outcome.took.as_secs().to_string(),
    ]
}
