//! The documentation page that a run produces: the machine, the date, the table and all findings.

use std::fmt::Write as _;
use std::time::Duration;

use crate::outcome::Outcome;
use crate::program::said;
use crate::rows::Row;
use crate::table::{HEAD, cells};

pub(crate) fn markdown(outcomes: &[(&Row, Outcome)], time: Duration) -> String {
    let mut text = String::from("# Reliability\n\n");
    text += "Faults, load and hostile input at the sizes of a release. The sizes and figures are those really seen; a \
             row ends when its size is reached or its time is over, and failures are listed below the table. A row that was run again by itself is in it as it came out then. Made by\n\n";
    let minutes = time.as_secs_f64() / 60.0;
    let _ = writeln!(
        text,
        "    cargo run --release -p stress -- all --minutes {minutes} --earlier --markdown docs/reliability.md\n"
    );
    for (what, value) in machine() {
        let _ = writeln!(text, "- {what}: {value}");
    }
    let bad = outcomes.iter().filter(|(_, outcome)| outcome.is_bad());
    let skipped = outcomes
        .iter()
        .filter(|(_, outcome)| outcome.impossible.is_some());
    let _ = writeln!(
        text,
        "- rows: {}, of which {} with failures and {} that could not run here\n",
        outcomes.len(),
        bad.count(),
        skipped.count()
    );
    let _ = writeln!(text, "| {} |", HEAD.join(" | "));
    let _ = writeln!(text, "|{}", " --- |".repeat(HEAD.len()));
    for (row, outcome) in outcomes {
        let cells = cells(row, outcome).map(|cell| cell.replace('|', "\\|"));
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text += "\n## Findings\n\n";
    let mut none = true;
    for (row, outcome) in outcomes {
        let broken = outcome.broken.iter();
        for finding in broken.chain(&outcome.findings) {
            none = false;
            let _ = writeln!(text, "- {}: {}", row.id, finding.replace('`', "'"));
        }
    }
    if none {
        text += "None.\n";
    }
    text
}

/// Returns the machine of this run, as far as the system reports it.
fn machine() -> Vec<(&'static str, String)> {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cpu = field(&cpu, "model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let memory = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let memory = field(&memory, "MemTotal")
        .and_then(|text| text.split(' ').next()?.parse::<u64>().ok())
        .map_or("unknown".to_owned(), |kib| {
            format!("{:.1} GiB", kib as f64 / 1048576.0)
        });
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let unknown = || "unknown".to_owned();
    vec![
        (
            "date",
            said("date", &["-u", "+%Y-%m-%d %H:%M UTC"]).unwrap_or_else(unknown),
        ),
        ("processor", format!("{cpu}, {cores} cores")),
        ("memory", memory),
        ("system", said("uname", &["-sr"]).unwrap_or_else(unknown)),
        (
            "compiler",
            said("rustc", &["--version"]).unwrap_or_else(unknown),
        ),
    ]
}

/// Returns the value of a field in a text of lines `name: value`.
fn field(text: &str, name: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
