//! `tabiya perft DEPTH`: counts the leaf nodes at a depth.

use std::io::IsTerminal;
use std::time::Instant;

use crate::flags::Perft;
use serde::Serialize;
use tabiya_front::failure::Failure;
use tabiya_front::output::{answer, say};

use super::counting::Counter;
use super::progress::{Measure, Progress};
use super::suite;

/// Runs `tabiya perft`, on one position or on a suite.
pub fn run(args: &Perft) -> Result<(), Failure> {
    match (&args.suite, args.depth) {
        (Some(file), _) => suite::run(file, args),
        (None, Some(depth)) => count(args, depth.into()),
        // The parser requires one of the two.
        (None, None) => Err(Failure::Usage(
            "a depth is needed, or --suite FILE".to_owned(),
        )),
    }
}

/// Counts from one position, and prints the counts.
fn count(args: &Perft, depth: u32) -> Result<(), Failure> {
    let position = args.position.read()?;
    let counter = Counter::new(args.threads, args.hash)?;
    let started = Instant::now();
    let progress = Progress::new(Measure::Share);
    let (counts, nodes) = counter.divide(&position, depth, Some(&progress));
    drop(progress);
    let counts = counts.into_iter().map(|(played, nodes)| MoveCount {
        played: position.uci(played).to_string(),
        nodes,
    });
    let mut counts: Vec<MoveCount> = counts.collect();
    counts.sort_unstable();

    let mut lines = Vec::new();
    if args.divide {
        let counts = counts.iter();
        lines.extend(counts.map(|MoveCount { played, nodes }| format!("{played}: {nodes}")));
        lines.push(String::new());
    }
    lines.push(format!("Nodes searched: {nodes}"));
    let counted = Counted {
        fen: position.fen(),
        depth,
        nodes,
        divide: args.divide.then_some(counts),
    };
    answer(args.json, &counted, lines)?;
    if std::io::stderr().is_terminal() {
        let seconds = started.elapsed().as_secs_f64();
        let millions = nodes as f64 / seconds / 1e6;
        say(&format!("{seconds:.3} s, {millions:.1} million a second"));
    }
    Ok(())
}

/// A count for `--json`.
#[derive(Serialize)]
struct Counted {
    fen: String,
    depth: u32,
    nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<MoveCount>>,
}

/// The number of leaf nodes below one move.
#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct MoveCount {
    #[serde(rename = "move")]
    played: String,
    nodes: u64,
}
