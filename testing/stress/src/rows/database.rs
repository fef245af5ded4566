//! Rows about databases: one as large as a big collection, with its sizes, its speeds, and its counts compared with
//! the games themselves, each beside its goal and the published figures of other programs.

mod latency;

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tabiya_db::{Database, Effort, Filter, Query, ResultCounts};
use tabiya_game::GameResult;
use tabiya_game::pgn;
use tabiya_openings::Openings;
use tabiya_rules::{Position, SplitMix64};

use crate::collection;
use crate::meter::{Meter, Stop};
use crate::program::{Programs, peak_kib, processor_time};

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
    sizes(meter, &database, plies);
    let positions = counts(meter, &file, &database)?;
    names(meter, &positions);
    latency::measure(meter, &db, &positions)
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
    let (mut peak, mut cpu) = (0, Duration::ZERO);
    let status = loop {
        if let Some(status) = child.try_wait().map_err(Stop::broken)? {
            break status;
        }
        peak = peak_kib(child.id()).unwrap_or_default().max(peak);
        cpu = processor_time(child.id()).unwrap_or_default().max(cpu);
        std::thread::sleep(Duration::from_millis(50));
    };
    let took = begun.elapsed().as_secs_f64();
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    meter.figure(format!(
        "built in {took:.1} s on {cores} cores with {:.1} s of their time (goal 15 s on two idle cores), {:.1} MiB/s \
         (lila-openingexplorer 7 MiB/s), {} MiB of memory (chess_db twice the file)",
        cpu.as_secs_f64(),
        bytes as f64 / f64::from(1 << 20) / took,
        peak / 1024
    ));
    meter.attempt(|| match status.success() {
        false => Err(format!("db build: {status}")),
        true if peak > 600 * 1024 => Err(format!("{peak} KiB of memory")),
        true => Ok(()),
    });
    Ok(())
}

fn sizes(meter: &mut Meter, database: &Database, plies: u64) {
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
    let positions = (plies + info.games) as f64;
    let games = info.games as f64;
    meter.figure(format!(
        "tree and exits: {shared:.1} bytes a game (goal 60), {:.2} a position (OCGDB 21 to 42, lila-openingexplorer 24 an \
         entry, chess_db 12 a move)",
        shared * games / positions
    ));
    meter.attempt(|| match shared > 60.0 {
        true => Err(format!("tree and exits have {shared:.1} bytes a game")),
        false => Ok(()),
    });
}

/// Measures how long it takes to look up the name of a position.
fn names(meter: &mut Meter, positions: &[Position]) {
    const ROUNDS: u32 = 1000;
    let openings = Openings::standard();
    let begun = Instant::now();
    let mut named = 0;
    for _ in 0..ROUNDS {
        let found = |position: &&Position| openings.lookup(std::hint::black_box(*position));
        named = positions
            .iter()
            .filter(|position| found(position).is_some())
            .count();
    }
    let each = begun.elapsed() / ROUNDS / positions.len().max(1) as u32;
    meter.figure(format!(
        "name of a position: {} ns (goal 1000 ns), {named} of {} have one",
        each.as_nanos(),
        positions.len()
    ));
}

/// Compares the counts of random positions with those from walking through all games.
fn counts(meter: &mut Meter, file: &Path, database: &Database) -> Result<Vec<Position>, Stop> {
    let text = std::fs::read(file).map_err(Stop::broken)?;
    let mut random = SplitMix64::new(1000);
    let total = database.info().games_read.max(1);
    let mut wanted: HashMap<Position, HashMap<String, ResultCounts>> = HashMap::new();
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
            let found: HashMap<String, ResultCounts> = answer
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

fn query(position: &Position, filter: Filter) -> Query<'static> {
    Query {
        path: &[],
        position: *position,
        filter,
        player: None,
        games: 5,
        effort: Effort::EveryGame,
    }
}
