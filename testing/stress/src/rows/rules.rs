//! The row about perft counts too large for a test.

use std::time::Instant;

use tabiya_rules::{Position, perft};
use test_suites::KNOWN_COUNTS;

use crate::meter::{Fault, Meter, ensure};
use crate::process::Program;

/// The largest perft count of the well-known positions that fits into a few minutes.
const LARGEST: u64 = 1_000_000_000;

pub(super) fn counts(meter: &mut Meter, _: &Program) -> Result<(), Fault> {
    let (mut nodes, begun) = (0, Instant::now());
    for (fen, counts) in KNOWN_COUNTS {
        let position = Position::from_fen(fen)?;
        for (depth, &count) in (1..).zip(counts).filter(|(_, count)| **count <= LARGEST) {
            meter.attempt(|| {
                let found = perft(&position, depth);
                ensure(found == count, || {
                    format!("{fen} at depth {depth}: {found}, not {count}")
                })
            });
            nodes += count;
        }
    }
    let speed = nodes as f64 / begun.elapsed().as_secs_f64();
    meter.figure(format!("perft {:.0} M nodes/s on one thread", speed / 1e6));
    Ok(())
}
