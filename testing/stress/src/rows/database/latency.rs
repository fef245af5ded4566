//! How long a database takes to answer: without a filter, with each of them, and by player; open, and cold.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tabiya_db::{Database, Effort, Filter, Player, Query, Speed};
use tabiya_rules::Position;

use super::query;
use crate::meter::{Fault, Meter, Samples, ensure};

/// How many answers are asked for cold, of each kind.
const COLD: usize = 25;

/// How many players are asked for.
const PLAYERS: usize = 20;

/// The goals in milliseconds: for an answer of an open database, for a cold one, and by player.
const WARM: f64 = 5.0;
const FROM_DISK: f64 = 50.0;
const BY_PLAYER: f64 = 1000.0;

/// How many times the goal the median may take on a machine that does other things too.
const BUSY: f64 = 10.0;

/// Times of answers: by the clock, and of the processor where the system tells.
#[derive(Default)]
struct Times {
    wall: Samples,
    cpu: Option<Samples>,
}

impl Times {
    fn measure(&mut self, ask: impl FnOnce() -> Result<(), Fault>) -> Result<(), Fault> {
        let (begun, cpu) = (Instant::now(), thread_time());
        ask()?;
        self.wall.add(begun.elapsed());
        if let (Some(before), Some(after)) = (cpu, thread_time()) {
            self.cpu
                .get_or_insert_default()
                .add(after.saturating_sub(before));
        }
        Ok(())
    }

    /// Adds a figure, and fails if the median is far from the goal.
    fn report(&self, meter: &mut Meter, what: &str, goal: f64) {
        let figures = |times: &Samples| {
            format!(
                "{:.2} / {:.2} / {:.2}",
                times.ms(50),
                times.ms(99),
                times.ms(100)
            )
        };
        let cpu = self
            .cpu
            .as_ref()
            .map_or(String::new(), |cpu| format!(", CPU {}", figures(cpu)));
        meter.figure(format!(
            "{what}: median / p99 / worst {} ms{cpu} (goal {goal} ms)",
            figures(&self.wall)
        ));
        let is_good = self.wall.ms(50) <= goal * BUSY;
        meter.attempt(|| ensure(is_good, || format!("{what}: over {BUSY} times the goal")));
    }
}

/// The time of a processor that this thread has taken.
fn thread_time() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace()
        .next()?
        .parse()
        .ok()
        .map(Duration::from_nanos)
}

pub(super) fn measure(meter: &mut Meter, db: &Path, positions: &[Position]) -> Result<(), Fault> {
    let ratings = Filter {
        ratings: Some(2400..=u16::MAX),
        ..Filter::default()
    };
    let years = Filter {
        years: Some(2015..=2024),
        ..Filter::default()
    };
    let speeds = Filter {
        speeds: vec![Speed::Classical, Speed::Rapid],
        ..Filter::default()
    };
    let all = Filter {
        ratings: ratings.ratings.clone(),
        years: years.years.clone(),
        speeds: speeds.speeds.clone(),
    };
    let kinds = [
        ("no filter", Filter::default()),
        ("rating 2400..", ratings),
        ("years 2015..2024", years),
        ("speed classical, rapid", speeds),
        ("rating, years, speed", all),
    ];
    let ask = |database: &Database, position: &Position, filter: &Filter| -> Result<(), Fault> {
        database.explore(&query(position, filter.clone(), Effort::Tables))?;
        Ok(())
    };
    for (name, filter) in &kinds {
        let database = Database::open(db)?;
        // The first questions open the files.
        for position in positions.iter().rev().take(50) {
            ask(&database, position, filter)?;
        }
        let mut warm = Times::default();
        for position in positions {
            warm.measure(|| ask(&database, position, filter))?;
        }
        warm.report(
            meter,
            &format!("{name}, warm, {} positions", positions.len()),
            WARM,
        );
    }
    for (name, filter) in &kinds {
        let mut cold = Times::default();
        for position in positions.iter().step_by(positions.len() / COLD + 1) {
            if !drop_cache(db) {
                meter.figure("cold: this system's dd does not drop what is cached");
                return by_player(meter, db, positions);
            }
            cold.measure(|| ask(&Database::open(db)?, position, filter))?;
        }
        cold.report(meter, &format!("{name}, cold"), FROM_DISK);
    }
    by_player(meter, db, positions)
}

/// Has the system forget what it holds of the files of a database. Returns whether it can be asked to.
fn drop_cache(path: &Path) -> bool {
    if let Ok(entries) = fs::read_dir(path) {
        let paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        return paths.iter().all(|path| drop_cache(path));
    }
    let mut dd = Command::new("dd");
    dd.arg(format!("if={}", path.display()))
        .args(["iflag=nocache", "count=0", "status=none"]);
    let status = dd.stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// How long the games of a player take, from the one with most games to those with few.
fn by_player(meter: &mut Meter, db: &Path, positions: &[Position]) -> Result<(), Fault> {
    let database = Database::open(db)?;
    let mut times = Times::default();
    for number in 0..PLAYERS {
        let wanted = format!("Player{:05}", number * number * 40);
        let is = |name: &str| name.starts_with(&wanted);
        // Every other question is about the start, which all games have.
        let position = positions
            .get(number)
            .filter(|_| number % 2 == 1)
            .copied()
            .unwrap_or_default();
        times.measure(|| {
            let player = Some(Player {
                is: &is,
                color: None,
            });
            database.explore(&Query {
                player,
                ..query(&position, Filter::default(), Effort::EveryGame)
            })?;
            Ok(())
        })?;
    }
    // The work is done by several threads, of which only one is counted.
    times.cpu = None;
    times.report(meter, "by player", BY_PLAYER);
    Ok(())
}
