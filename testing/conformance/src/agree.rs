//! Random games in three libraries at once: every position's answers must be
//! the same in Tabiya, shakmaty and cozy-chess, apart from the differences
//! that [`decisions`] names.

pub mod compare;
pub mod decisions;
pub mod history;
pub mod play;
pub mod report;
mod scatter;
pub mod start;
pub mod trio;

use std::{
    io::{IsTerminal as _, Write as _},
    time::{Duration, Instant},
};

use crate::random::SplitMix64;
use play::Game;
use report::Report;
use start::{Kind, Start};

/// What to play.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Positions to compare, at least.
    pub positions: u64,
    /// The same seed plays the same games.
    pub seed: u64,
    /// The kinds of start, taken in turn.
    pub kinds: Vec<Kind>,
}

/// Disagreements after which it is useless to go on.
const ENOUGH_FAILURES: usize = 20;

/// Plays games until the plan is fulfilled or too much has gone wrong.
#[must_use]
pub fn run(plan: &Plan) -> Report {
    let mut report = Report::default();
    let mut progress = Progress::new(plan.positions);
    let mut number: u64 = 0;
    'plan: for round in 0.. {
        for &kind in &plan.kinds {
            let (games, plies) = kind.measure();
            for _ in 0..games {
                let done = report.positions >= plan.positions;
                if done || report.failures.len() >= ENOUGH_FAILURES {
                    break 'plan;
                }
                // Every game has its own stream of numbers, so that it is the
                // same whatever was played before.
                let stream = plan.seed ^ number.wrapping_mul(0x2545_f491_4f6c_dd1d);
                let mut random = SplitMix64::new(stream);
                let start = Start::new(kind, round, &mut random);
                match Game::begin(&start, number, &mut report) {
                    Some(game) => game.play(plies, &mut random, &mut report),
                    None => report.refused(&start, number),
                }
                report.games += 1;
                number += 1;
            }
            if kind == Kind::Chess960 {
                report.starts = report.starts.max((round + 1).min(960));
            }
            progress.show(&report);
        }
    }
    progress.end();
    report
}

/// The line on stderr that says how far it is.
struct Progress {
    total: u64,
    start: Instant,
    shown: Option<Duration>,
    terminal: bool,
}

impl Progress {
    fn new(total: u64) -> Self {
        Self {
            total,
            start: Instant::now(),
            shown: None,
            terminal: std::io::stderr().is_terminal(),
        }
    }

    fn show(&mut self, report: &Report) {
        let elapsed = self.start.elapsed();
        // A log gets a line now and then, a terminal one that changes.
        let pause = Duration::from_millis(if self.terminal { 200 } else { 15_000 });
        if elapsed < self.shown.unwrap_or_default() + pause {
            return;
        }
        self.shown = Some(elapsed);
        let line = format!(
            "{} of {} positions, {} games, {} disagreements, {} s",
            report.positions,
            self.total,
            report.games,
            report.failures.len(),
            elapsed.as_secs()
        );
        let mut stderr = std::io::stderr();
        // Progress that cannot be shown is no reason to stop.
        let _ = if self.terminal {
            write!(stderr, "\r{line}\x1b[K").and_then(|()| stderr.flush())
        } else {
            writeln!(stderr, "{line}")
        };
    }

    fn end(&self) {
        if self.terminal && self.shown.is_some() {
            eprintln!();
        }
    }
}
