//! Rows about databases: one as large as a big collection, with its sizes, its speeds, and its counts compared with
//! the games themselves.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tabiya_db::{Database, Effort, Filter, Query, Score, Speed};
use tabiya_game::GameResult;
use tabiya_game::pgn;
use tabiya_rules::{Position, SplitMix64};

use crate::collection;
use crate::meter::{Meter, Stop};
use crate::program::{Programs, peak_kib};

/// The number of games in the real collection that the generated one resembles.
const GAMES: u64 = 334_427;

/// The number of positions counted in the games themselves.
const POSITIONS: usize = 1000;

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Builds a database of a large collection and queries it.
pub(super) fn large(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let folder = std::env::temp_dir().join(format!("tabiya-stress-db-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(Stop::broken)?;
    let folder = Folder(folder);
    let games = meter.size_for(GAMES, GAMES / 4).max(1000);
    let file = folder.0.join("games.pgn");
    let mut out = BufWriter::new(File::create(&file).map_err(Stop::broken)?);
    let plies = collection::write(&programs.root, games, &mut out).map_err(Stop::broken)?;
    out.flush().map_err(Stop::broken)?;
    let bytes = std::fs::metadata(&file).map_err(Stop::broken)?.len();
    meter.figure(format!(
        "{games} games, {plies} plies, {} MB",
        bytes / 1_000_000
    ));

    let db = folder.0.join("games.db");
    build(meter, programs, &file, &db, bytes)?;
    let database = Database::open(&db).map_err(Stop::broken)?;
    sizes(meter, &database);
    let positions = counts(meter, &file, &database)?;
    speeds(meter, &db, &positions)
}

fn build(
    meter: &mut Meter,
    programs: &Programs,
    file: &Path,
    db: &Path,
    bytes: u64,
) -> Result<(), Stop> {
    let (file, db) = (file.to_string_lossy(), db.to_string_lossy());
    let begun = Instant::now();
    let mut child = programs
        .command(&["db", "build", &db, &file])
        .spawn()
        .map_err(Stop::broken)?;
    let mut peak = 0;
    let status = loop {
        if let Some(status) = child.try_wait().map_err(Stop::broken)? {
            break status;
        }
        peak = peak_kib(child.id()).unwrap_or_default().max(peak);
        std::thread::sleep(Duration::from_millis(50));
    };
    let took = begun.elapsed().as_secs_f64();
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    meter.figure(format!(
        "built in {took:.1} s on {cores} cores ({:.1} MB/s), {} MiB",
        bytes as f64 / 1e6 / took,
        peak / 1024
    ));
    meter.attempt(|| match status.success() {
        false => Err(format!("db build: {status}")),
        true if peak > 600 * 1024 => Err(format!("{peak} KiB of memory")),
        true => Ok(()),
    });
    Ok(())
}

fn sizes(meter: &mut Meter, database: &Database) {
    let info = database.info();
    let mut shared = 0.0;
    for table in &info.tables {
        let each = table.bytes as f64 / info.games.max(1) as f64;
        meter.figure(format!(
            "{}: {} rows, {each:.1} bytes a game",
            table.name, table.rows
        ));
        if table.name == "tree" || table.name == "exits" {
            shared += each;
        }
    }
    meter.attempt(|| match shared > 60.0 {
        true => Err(format!("tree and exits have {shared:.1} bytes a game")),
        false => Ok(()),
    });
}

/// Compares the counts of random positions with those from walking through all games.
fn counts(meter: &mut Meter, file: &Path, database: &Database) -> Result<Vec<Position>, Stop> {
    let text = std::fs::read(file).map_err(Stop::broken)?;
    let mut random = SplitMix64::new(1000);
    let total = database.info().games_read.max(1);
    let mut wanted: HashMap<Position, HashMap<String, Score>> = HashMap::new();
    let every = (total / POSITIONS as u64).max(1);
    let mut positions = Vec::new();
    for (number, game) in (0_u64..).zip(pgn::games(&text[..])) {
        if number.is_multiple_of(every) {
            let line: Vec<Position> = game
                .record
                .main_line()
                .map(|node| *node.position())
                .collect();
            // Half of them come from the opening, where games share positions.
            let most = if (number / every).is_multiple_of(2) {
                20
            } else {
                line.len()
            };
            let position = line[random.below(most.min(line.len()))];
            positions.push(position);
            wanted.entry(position).or_default();
        }
    }
    for game in pgn::games(&text[..]) {
        let mut seen = Vec::new();
        let nodes: Vec<_> = game.record.main_line().collect();
        for pair in nodes.windows(2) {
            let position = pair[0].position();
            let Some(counts) = wanted.get_mut(position) else {
                continue;
            };
            if seen.contains(&position) {
                continue;
            }
            seen.push(position);
            let Some(tabiya_game::Step::Move(m)) = pair[1].step() else {
                continue;
            };
            let score = counts.entry(position.san(m).to_string()).or_default();
            match game.record.result() {
                GameResult::WhiteWins => score.white += 1,
                GameResult::Draw => score.draws += 1,
                GameResult::BlackWins => score.black += 1,
                GameResult::Unknown => {}
            }
        }
    }
    for (position, expected) in &wanted {
        meter.attempt(|| {
            let answer = database
                .explore(&query(position, Filter::default()))
                .map_err(|error| error.to_string())?;
            let found: HashMap<String, Score> = answer
                .moves
                .iter()
                .map(|stats| (position.san(stats.m).to_string(), stats.score))
                .collect();
            match found == *expected {
                true => Ok(()),
                false => Err(format!(
                    "{}: {found:?} and not {expected:?}",
                    position.fen()
                )),
            }
        });
    }
    Ok(positions)
}

fn query<'a>(position: &Position, filter: Filter<'a>) -> Query<'a> {
    Query {
        path: &[],
        position: *position,
        filter,
        games: 5,
        effort: Effort::EveryGame,
    }
}

/// Measures how long answers take, for positions that several games have.
fn speeds(meter: &mut Meter, db: &Path, positions: &[Position]) -> Result<(), Stop> {
    let shared: Vec<&Position> = positions.iter().step_by(2).take(200).collect();
    let filter = || Filter {
        ratings: Some(2400..=u16::MAX),
        years: Some(2010..=2022),
        speeds: vec![Speed::Classical, Speed::Rapid],
        player: None,
    };
    let mut tables_only = Vec::new();
    for round in ["opened for each", "open"] {
        let mut times = Vec::new();
        let kept = Database::open(db).map_err(Stop::broken)?;
        for position in &shared {
            let begun = Instant::now();
            let opened;
            let database = match round {
                "open" => &kept,
                _ => {
                    opened = Database::open(db).map_err(Stop::broken)?;
                    &opened
                }
            };
            let mut query = query(position, filter());
            query.effort = Effort::Tables;
            database.explore(&query).map_err(Stop::broken)?;
            times.push(begun.elapsed());
        }
        times.sort_unstable();
        let median = times[times.len() / 2];
        let worst = times[times.len() * 99 / 100];
        meter.figure(format!(
            "answers, {round}: median {:.2} ms, p99 {:.2} ms",
            median.as_secs_f64() * 1e3,
            worst.as_secs_f64() * 1e3
        ));
        tables_only.push(median);
    }
    let database = Database::open(db).map_err(Stop::broken)?;
    let is = |name: &str| name.starts_with("Player00007");
    let mut player = query(&Position::start(), Filter::default());
    player.filter.player = Some(tabiya_db::Player {
        is: &is,
        color: None,
    });
    let begun = Instant::now();
    database.explore(&player).map_err(Stop::broken)?;
    meter.figure(format!(
        "by player: {:.0} ms",
        begun.elapsed().as_secs_f64() * 1e3
    ));
    meter.attempt(|| {
        match tables_only
            .iter()
            .any(|time| *time > Duration::from_millis(500))
        {
            true => Err("an answer takes ten times as long as it should".into()),
            false => Ok(()),
        }
    });
    Ok(())
}
