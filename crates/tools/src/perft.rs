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

fn count(args: &Perft, depth: u32) -> Result<(), Failure> {
    let position = args.position.read()?;
    let counter = Counter::new(args.threads, args.hash)?;
    let begun = Instant::now();
    let progress = Progress::new(Measure::Share);
    let (below, nodes) = counter.divide(&position, depth, Some(&progress));
    drop(progress);
    let below = below.into_iter().map(|(played, nodes)| Divided {
        played: position.uci(played).to_string(),
        nodes,
    });
    let mut below: Vec<Divided> = below.collect();
    below.sort_unstable();

    let mut lines = Vec::new();
    if args.divide {
        let divided = below.iter();
        lines.extend(divided.map(|Divided { played, nodes }| format!("{played}: {nodes}")));
        lines.push(String::new());
    }
    lines.push(format!("Nodes searched: {nodes}"));
    let counted = Counted {
        fen: position.fen(),
        depth,
        nodes,
        divide: args.divide.then_some(below),
    };
    answer(args.json, &counted, lines)?;
    if std::io::stderr().is_terminal() {
        let seconds = begun.elapsed().as_secs_f64();
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
    divide: Option<Vec<Divided>>,
}

/// The count below one move.
#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct Divided {
    #[serde(rename = "move")]
    played: String,
    nodes: u64,
}
