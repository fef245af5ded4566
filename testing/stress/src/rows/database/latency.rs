//! How long a database takes to answer: without a filter, with each of them, and by player; open, and cold.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tabiya_db::{Database, Effort, Filter, Player, Query, Speed};
use tabiya_rules::Position;

use crate::meter::{Meter, Stop};

/// How many answers are asked for cold, of each kind.
const COLD: usize = 25;

/// How many players are asked for.
const PLAYERS: usize = 20;

/// The goals: for an answer of an open database, for a cold one, and by player.
const WARM: Duration = Duration::from_millis(5);
const FROM_DISK: Duration = Duration::from_millis(50);
const BY_PLAYER: Duration = Duration::from_secs(1);

/// How many times the goal the median may take on a machine that does other things too.
const BUSY: u32 = 10;

/// A kind of question.
struct Kind {
    name: &'static str,
    filter: fn() -> Filter,
}

const KINDS: [Kind; 5] = [
    Kind {
        name: "no filter",
        filter: Filter::default,
    },
    Kind {
        name: "rating 2400..",
        filter: || Filter {
            ratings: Some(2400..=u16::MAX),
            ..Filter::default()
        },
    },
    Kind {
        name: "years 2015..2024",
        filter: || Filter {
            years: Some(2015..=2024),
            ..Filter::default()
        },
    },
    Kind {
        name: "speed classical, rapid",
        filter: || Filter {
            speeds: vec![Speed::Classical, Speed::Rapid],
            ..Filter::default()
        },
    },
    Kind {
        name: "rating, years, speed",
        filter: || Filter {
            ratings: Some(2400..=u16::MAX),
            years: Some(2015..=2024),
            speeds: vec![Speed::Classical, Speed::Rapid],
        },
    },
];

/// Times of answers: by the clock, and of the processor where the system tells.
#[derive(Default)]
struct Times {
    wall: Vec<Duration>,
    cpu: Vec<Duration>,
}

impl Times {
    fn measure(&mut self, ask: impl FnOnce() -> Result<(), Stop>) -> Result<(), Stop> {
        let (begun, cpu) = (Instant::now(), thread_time());
        ask()?;
        self.wall.push(begun.elapsed());
        if let (Some(before), Some(after)) = (cpu, thread_time()) {
            self.cpu.push(after.saturating_sub(before));
        }
        Ok(())
    }

    /// The median, the time that one in a hundred exceeds, and the longest, in milliseconds.
    fn figures(times: &mut [Duration]) -> String {
        times.sort_unstable();
        let at = |place: usize| {
            let time = times.get(place).copied().unwrap_or_default();
            format!("{:.2}", time.as_secs_f64() * 1e3)
        };
        let last = times.len().saturating_sub(1);
        format!("{} / {} / {}", at(last / 2), at(last * 99 / 100), at(last))
    }

    /// Adds a figure, and fails if the median is far from the goal.
    fn report(mut self, meter: &mut Meter, what: &str, goal: Duration) {
        let wall = Times::figures(&mut self.wall);
        let cpu = match self.cpu.as_mut_slice() {
            [] => String::new(),
            cpu => format!(", CPU {}", Times::figures(cpu)),
        };
        let median = self.wall.get(self.wall.len() / 2).copied();
        meter.figure(format!(
            "{what}: median / p99 / worst {wall} ms{cpu} (goal {} ms)",
            goal.as_millis()
        ));
        meter.attempt(|| match median.unwrap_or_default() > goal * BUSY {
            true => Err(format!("{what}: over {BUSY} times the goal")),
            false => Ok(()),
        });
    }
}

/// The time of a processor that this thread has taken.
fn thread_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

pub(super) fn measure(meter: &mut Meter, db: &Path, positions: &[Position]) -> Result<(), Stop> {
    let ask = |database: &Database, position: &Position, filter: Filter| {
        let query = Query {
            path: &[],
            position: *position,
            filter,
            player: None,
            games: 5,
            effort: Effort::Tables,
        };
        database.explore(&query).map(drop).map_err(Stop::broken)
    };
    for kind in &KINDS {
        let database = Database::open(db).map_err(Stop::broken)?;
        // The first questions open the files.
        for position in positions.iter().rev().take(50) {
            ask(&database, position, (kind.filter)())?;
        }
        let mut warm = Times::default();
        for position in positions {
            warm.measure(|| ask(&database, position, (kind.filter)()))?;
        }
        let what = format!("{}, warm, {} positions", kind.name, positions.len());
        warm.report(meter, &what, WARM);
    }
    for kind in &KINDS {
        let mut cold = Times::default();
        for position in positions.iter().step_by(positions.len() / COLD + 1) {
            if !drop_cache(db) {
                meter.figure("cold: this system's dd does not drop what is cached");
                return by_player(meter, db, positions);
            }
            cold.measure(|| {
                let database = Database::open(db).map_err(Stop::broken)?;
                ask(&database, position, (kind.filter)())
            })?;
        }
        cold.report(meter, &format!("{}, cold", kind.name), FROM_DISK);
    }
    by_player(meter, db, positions)
}

/// Has the system forget what it holds of the files of a database. Returns whether it can be asked to.
fn drop_cache(db: &Path) -> bool {
    let mut folders = vec![db.to_owned()];
    let mut files: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(folder) else {
            return false;
        };
        for path in entries.flatten().map(|entry| entry.path()) {
            match path.is_dir() {
                true => folders.push(path),
                false => files.push(path),
            }
        }
    }
    files.iter().all(|file| {
        let dropped = Command::new("dd")
            .arg(format!("if={}", file.display()))
            .args(["iflag=nocache", "count=0", "status=none"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        dropped.is_ok_and(|status| status.success())
    })
}

/// How long the games of a player take, from the one with most games to those with few.
fn by_player(meter: &mut Meter, db: &Path, positions: &[Position]) -> Result<(), Stop> {
    let database = Database::open(db).map_err(Stop::broken)?;
    let mut times = Times::default();
    for number in 0..PLAYERS {
        let wanted = format!("Player{:05}", number * number * 40);
        let is = |name: &str| name.starts_with(&wanted);
        // Every other question is about the start, which all games have.
        let position = match number.is_multiple_of(2) {
            true => Position::start(),
            false => positions.get(number).copied().unwrap_or_default(),
        };
        times.measure(|| {
            let query = Query {
                path: &[],
                position,
                filter: Filter::default(),
                player: Some(Player {
                    is: &is,
                    color: None,
                }),
                games: 5,
                effort: Effort::EveryGame,
            };
            database.explore(&query).map(drop).map_err(Stop::broken)
        })?;
    }
    // The work is done by several threads, of which only one is counted.
    times.cpu.clear();
    times.report(meter, "by player", BY_PLAYER);
    Ok(())
}
