//! Rows about databases: one as large as a big collection, with its sizes, its speeds, and its counts compared with
//! the games themselves, each beside its goal and the published figures of other programs.

mod latency;

use std::collections::HashMap;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::thread::available_parallelism;
use std::time::Instant;

use tabiya_db::{Database, Effort, Filter, Query, ResultCounts};
use tabiya_game::{GameResult, Step, pgn};
use tabiya_openings::Openings;
use tabiya_rules::{Position, SplitMix64};

use crate::collection::{self, GAMES};
use crate::meter::{Fault, Meter, ensure};
use crate::process::Program;

/// The number of positions counted in the games themselves.
const POSITIONS: u64 = 1000;

/// Builds a database of a large collection and queries it.
pub(super) fn large(meter: &mut Meter, program: &Program) -> Result<(), Fault> {
    let folder = tempfile::tempdir()?;
    let games = meter.size_for(GAMES, GAMES / 4).max(1000);
    let file = folder.path().join("games.pgn");
    let mut out = BufWriter::new(fs::File::create(&file)?);
    let plies = collection::write(games, &mut out)?;
    out.flush()?;
    let text = fs::read(&file)?;
    meter.figure(format!(
        "{games} games, {plies} plies, {} MB",
        text.len() / 1_000_000
    ));

    let db = folder.path().join("games.db");
    build(meter, program, &file, &db, text.len())?;
    let database = Database::open(&db)?;
    sizes(meter, &database, plies);
    let positions = counts(meter, &text, &database);
    names(meter, &positions);
    latency::measure(meter, &db, &positions)
}

fn build(
    meter: &mut Meter,
    program: &Program,
    file: &Path,
    db: &Path,
    bytes: usize,
) -> Result<(), Fault> {
    let (file, db) = (file.to_string_lossy(), db.to_string_lossy());
    let fed = program.feed(&["db", "build", &db, &file], |_| Ok(()))?;
    let took = fed.took.as_secs_f64();
    meter.figure(format!(
        "built in {took:.1} s on {} cores with {:.1} s of their time (goal 15 s on two idle cores), {:.1} MiB/s \
         (lila-openingexplorer 7 MiB/s), {} MiB of memory (chess_db twice the file)",
        available_parallelism()?,
        fed.worked.as_secs_f64(),
        bytes as f64 / f64::from(1 << 20) / took,
        fed.peak_kib / 1024
    ));
    meter.attempt(|| {
        ensure(fed.status.success(), || format!("db build: {}", fed.status))?;
        ensure(fed.peak_kib <= 600 * 1024, || {
            format!("{} KiB of memory", fed.peak_kib)
        })
    });
    Ok(())
}

fn sizes(meter: &mut Meter, database: &Database, plies: u64) {
    let info = database.info();
    let games = info.games as f64;
    let mut shared = 0.0;
    for table in &info.tables {
        let each = table.bytes as f64 / games.max(1.0);
        meter.figure(format!(
            "{}: {} rows, {each:.1} bytes a game",
            table.name, table.rows
        ));
        if table.name == "tree" || table.name == "exits" {
            shared += each;
        }
    }
    meter.figure(format!(
        "tree and exits: {shared:.1} bytes a game (goal 60), {:.2} a position (OCGDB 21 to 42, lila-openingexplorer 24 an \
         entry, chess_db 12 a move)",
        shared * games / (plies as f64 + games)
    ));
    // The games of a smaller collection have less in common.
    let is_whole = info.games_read >= GAMES;
    meter.attempt(|| {
        ensure(shared <= 60.0 || !is_whole, || {
            format!("tree and exits have {shared:.1} bytes a game")
        })
    });
}

/// Measures how long it takes to look up the name of a position.
fn names(meter: &mut Meter, positions: &[Position]) {
    const ROUNDS: u32 = 1000;
    let openings = Openings::standard();
    let (begun, mut named) = (Instant::now(), 0);
    for _ in 0..ROUNDS {
        let found =
            |position: &&Position| openings.lookup(std::hint::black_box(*position)).is_some();
        named = positions.iter().filter(found).count();
    }
    let (each, count) = (
        begun.elapsed() / ROUNDS / positions.len().max(1) as u32,
        positions.len(),
    );
    meter.figure(format!(
        "name of a position: {} ns (goal 1000 ns), {named} of {count} have one",
        each.as_nanos()
    ));
}

/// Compares the counts of random positions with those from walking through all games.
fn counts(meter: &mut Meter, text: &[u8], database: &Database) -> Vec<Position> {
    let mut random = SplitMix64::new(1000);
    let mut wanted: HashMap<Position, HashMap<String, ResultCounts>> = HashMap::new();
    let every = (database.info().games_read / POSITIONS).max(1);
    let mut positions = Vec::new();
    for (number, game) in (0_u64..)
        .zip(pgn::games(text))
        .filter(|(number, _)| number.is_multiple_of(every))
    {
        let line: Vec<_> = game
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
    for game in pgn::games(text) {
        let mut seen = Vec::new();
        let nodes: Vec<_> = game.record.main_line().collect();
        for pair in nodes.windows(2) {
            let position = pair[0].position();
            let Some(counts) = wanted
                .get_mut(position)
                .filter(|_| !seen.contains(&position))
            else {
                continue;
            };
            seen.push(position);
            let Some(Step::Move(m)) = pair[1].step() else {
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
            let answer =
                database.explore(&query(position, Filter::default(), Effort::EveryGame))?;
            let moves = answer.moves.iter();
            let found: HashMap<_, _> = moves
                .map(|stats| (position.san(stats.m).to_string(), stats.score))
                .collect();
            ensure(found == *expected, || {
                format!("{}: {found:?} and not {expected:?}", position.fen())
            })
        });
    }
    positions
}

fn query(position: &Position, filter: Filter, effort: Effort) -> Query<'static> {
    Query {
        path: &[],
        position: *position,
        filter,
        player: None,
        games: 5,
        effort,
    }
}
