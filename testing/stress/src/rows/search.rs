//! Rows about what a search finds, reports and holds, through the real program.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use tabiya_rules::{Position, SplitMix64, Status};

use super::engine::HANG;
use crate::meter::{Meter, Stop};
use crate::program::{Programs, Talk, descriptors, resident_kib, signal};
use crate::table::thousands;

/// Searches the same number of nodes twice, and runs the fixed search of `bench`.
pub(super) fn reproducible(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    for budget in 1..=20 {
        let line = format!("go nodes {}", budget * 1500);
        let one = searched(programs, &line)?;
        let two = searched(programs, &line)?;
        meter.attempt(|| match one == two {
            true => Ok(()),
            false => Err(format!("{line}: {one:?} and then {two:?}")),
        });
    }
    let mut counts = Vec::new();
    while meter.goes_on(1_020) {
        let fed = programs.feed(&["bench"], |_| Ok(()))?;
        let count = fed.out.split(" nodes").next().map(str::to_owned);
        meter.attempt(|| {
            if !fed.status.success() || count.is_none() {
                return Err(format!("bench ended with {}", fed.status));
            }
            Ok(())
        });
        counts.extend(count);
        counts.dedup();
    }
    if counts.len() > 1 {
        meter.fail(format!("bench counted {counts:?}"));
    }
    meter.figure(format!("bench {}", counts.concat()));
    Ok(())
}

/// Returns the reports of a search, without the parts that depend on time.
fn searched(programs: &Programs, go: &str) -> Result<Vec<String>, Stop> {
    let mut talk = Talk::start(programs)?;
    talk.say(b"position startpos moves d2d4 g8f6 c2c4");
    talk.say(go.as_bytes());
    let (_, seen) = talk.until("bestmove", HANG).map_err(Stop::Broken)?;
    let without_time = |line: &String| {
        let words: Vec<&str> = line.split(' ').collect();
        let timed = ["time", "nps", "hashfull"];
        let mut kept = Vec::new();
        let mut skip = false;
        for word in words {
            if !skip && !timed.contains(&word) {
                kept.push(word);
            }
            skip = timed.contains(&word);
        }
        kept.join(" ")
    };
    Ok(seen.iter().map(without_time).collect())
}

/// Checks that every line a search reports is legal, counts up, and has a possible score.
pub(super) fn truth(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let mut random = SplitMix64::new(17);
    let mut talk = Talk::start(programs)?;
    let mut lines = 0;
    while meter.goes_on(100_000) {
        let mut position = Position::start();
        for _ in 0..random.below(120) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play_unchecked(moves[random.below(moves.len())]);
        }
        if !position.has_legal_move() {
            continue;
        }
        let multi = if random.below(2) == 0 { 1 } else { 4 };
        meter.attempt(|| {
            talk.say(format!("setoption name MultiPV value {multi}").as_bytes());
            talk.say(format!("position fen {}", position.fen()).as_bytes());
            talk.say(b"go nodes 10000");
            let (_, seen) = talk.until("bestmove", HANG)?;
            lines += seen.len();
            check_output(&position, &seen).map_err(|error| format!("{}: {error}", position.fen()))
        });
    }
    meter.figure(format!("{lines} lines of output"));
    Ok(())
}

fn check_output(position: &Position, seen: &[String]) -> Result<(), String> {
    let (mut nodes, mut time) = (0, 0);
    // The first two moves of the last best line.
    let mut expected: (Option<&str>, Option<&str>) = (None, None);
    for line in seen {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |name: &str| -> Option<i64> {
            let at = words.iter().position(|word| *word == name)?;
            words.get(at + 1)?.parse().ok()
        };
        if words.first() == Some(&"bestmove") {
            let best = words.get(1).copied().unwrap_or("");
            if expected != (Some(best), words.get(3).copied()) {
                return Err(format!("{line} is not how the last line begins"));
            }
            position
                .parse_uci(best)
                .map_err(|_| format!("{best} is not legal"))?;
            continue;
        }
        for (name, last) in [("nodes", &mut nodes), ("time", &mut time)] {
            let now = number(name).unwrap_or(*last);
            if now < *last {
                return Err(format!("{name} went down: {line}"));
            }
            *last = now;
        }
        if number("cp").is_some_and(|score| score.abs() > 30_000) {
            return Err(format!("a score that cannot be: {line}"));
        }
        let Some(at) = words.iter().position(|word| *word == "pv") else {
            continue;
        };
        if number("multipv") == Some(1) {
            expected = (words.get(at + 1).copied(), words.get(at + 2).copied());
        }
        let mut after = *position;
        for text in &words[at + 1..] {
            let m = after
                .parse_uci(text)
                .map_err(|_| format!("{text} cannot be played: {line}"))?;
            after = after.play_unchecked(m);
        }
        // If the line shows the whole mate, it must be one, for the side that the score favors.
        if let Some(mate) = number("mate") {
            let plies = if mate > 0 { 2 * mate - 1 } else { -2 * mate };
            let is_mate = matches!(after.status(), Status::Checkmate { .. });
            if words.len() - at - 1 == plies as usize && !is_mate {
                return Err(format!("the line is no mate: {line}"));
            }
        }
    }
    Ok(())
}

/// How much the memory of an engine varies although its table stays the same.
const OTHERS_KIB: u64 = 512;

/// Sets options beyond their limits, during a search and between searches.
pub(super) fn options(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let mut talk = Talk::start(programs)?;
    for line in [
        "setoption name Hash value 0",
        "setoption name Hash value 99999999999",
        "setoption name Hash value -1",
        "setoption name Threads value 0",
        "setoption name Threads value 100000",
        "setoption name MultiPV value 0",
        "setoption name Move Overhead value 999999999",
        "setoption name UCI_Elo value 1",
    ] {
        meter.attempt(|| {
            talk.say(b"go infinite");
            talk.say(line.as_bytes());
            talk.say(b"stop");
            talk.until("bestmove", HANG)?;
            talk.say(line.as_bytes());
            talk.say(b"go nodes 2000");
            talk.until("bestmove", HANG).map(|_| ())
        });
    }
    too_much(meter, programs)?;
    threads(meter, programs)?;
    hash(meter, programs)
}

/// Checks that the table has exactly the requested size.
fn hash(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    for mebibytes in [1, 16, 64, 256] {
        let mut talk = Talk::start(programs)?;
        let mut filled = |mebibytes: u64| -> Result<u64, Stop> {
            talk.say(format!("setoption name Hash value {mebibytes}").as_bytes());
            talk.say(b"go nodes 3000000");
            talk.until("bestmove", HANG * 6).map_err(Stop::Broken)?;
            resident_kib(talk.child.id())
                .ok_or_else(|| Stop::Impossible("the system does not tell of memory".to_owned()))
        };
        let least = filled(1)?;
        let more = filled(mebibytes)?.saturating_sub(least);
        meter.figure(format!("Hash {mebibytes}: +{more} KiB"));
        meter.attempt(|| {
            let wanted = (mebibytes - 1) * 1024;
            // The other memory of a program varies a little.
            let least = (wanted * 95 / 100).saturating_sub(OTHERS_KIB);
            let most = wanted * 105 / 100 + OTHERS_KIB;
            match (least..=most).contains(&more) {
                true => Ok(()),
                false => Err(format!(
                    "Hash {mebibytes}: {more} KiB more than with 1, not {least} to {most}"
                )),
            }
        });
    }
    Ok(())
}

/// Checks that a table too large for the memory causes a message, and that the old one stays in use.
fn too_much(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let mut limited = Command::new("sh");
    limited
        .args(["-c", "ulimit -v 1500000 && exec \"$0\" uci"])
        .arg(&programs.tabiya)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut talk = Talk::with(limited)?;
    meter.attempt(|| {
        talk.say(b"setoption name Hash value 32768\nisready");
        let (_, seen) = talk.until("readyok", HANG)?;
        if !seen.iter().any(|line| line.starts_with("info string")) {
            return Err("a table that there is no memory for was taken without a word".to_owned());
        }
        talk.say(b"go nodes 20000");
        talk.until("bestmove", HANG).map(|_| ())
    });
    Ok(())
}

/// Uses one thread, some, and as many as possible.
fn threads(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let mut talk = Talk::start(programs)?;
    for threads in [1, 2, 3, 8, 64, 256, 1] {
        meter.attempt(|| {
            talk.say(format!("setoption name Threads value {threads}").as_bytes());
            talk.say(b"go movetime 200");
            talk.until("bestmove", HANG).map(|_| ())?;
            talk.say(b"isready");
            talk.until("readyok", HANG).map(|_| ())
        });
    }
    Ok(())
}

/// Searches for as long as the row has, and compares the memory at half time with that at the end.
pub(super) fn soak(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let mut talk = Talk::start(programs)?;
    let begun = Instant::now();
    let mut early = None;
    let mut random = SplitMix64::new(23);
    while meter.goes_on(u64::MAX) {
        meter.attempt(|| {
            talk.say(b"ucinewgame");
            talk.say(format!("position fen {}", random_position(&mut random).fen()).as_bytes());
            talk.say(b"go nodes 20000");
            talk.until("bestmove", HANG).map(|_| ())
        });
        // By then, the search has touched all the memory it ever uses, such as its stack.
        if early.is_none() && begun.elapsed() > meter.time() / 2 {
            early = holdings(&talk);
        }
    }
    if let (Some((early, open)), Some((late, still_open))) = (early, holdings(&talk)) {
        meter.figure(format!("{early} KiB early, {late} KiB late"));
        if late > early + early / 100 {
            meter.fail(format!("memory grew from {early} to {late} KiB"));
        }
        if still_open > open {
            meter.fail(format!("descriptors grew from {open} to {still_open}"));
        }
    }
    Ok(())
}

/// Returns the memory and the descriptors of an engine.
fn holdings(talk: &Talk) -> Option<(u64, usize)> {
    let process = talk.child.id();
    Some((resident_kib(process)?, descriptors(process)?))
}

fn random_position(random: &mut SplitMix64) -> Position {
    loop {
        let mut position = Position::start();
        for _ in 0..10 + random.below(30) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play_unchecked(moves[random.below(moves.len())]);
        }
        if position.has_legal_move() {
            return position;
        }
    }
}

/// A kind of self-play game: its clock, how many games, and its share of the time.
struct Kind {
    name: &'static str,
    clock: &'static str,
    count: u64,
    /// Of six.
    share: u32,
    openings: Option<PathBuf>,
}

/// Plays games of the engine against itself on short clocks: nobody loses on time, crashes or plays an illegal move.
pub(super) fn games(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let starts = std::env::temp_dir().join(format!("tabiya-stress-{}.epd", std::process::id()));
    std::fs::write(&starts, chess960_starts()).map_err(Stop::broken)?;
    let kind = |name, clock, count, share, openings| Kind {
        name,
        clock,
        count,
        share,
        openings,
    };
    let kinds = [
        kind("1 s + 0.01 s", "1s+0.01s", 20_000, 3, None),
        kind("0.1 s + 0.01 s", "0.1s+0.01s", 5_000, 2, None),
        kind("Chess960", "0.2s+0.01s", 2_000, 1, Some(starts.clone())),
    ];
    for kind in &kinds {
        let played = play(meter, programs, kind)?;
        meter.figure(format!("{} games of {}", thousands(played), kind.name));
    }
    // Anything left is in the folder for temporary files.
    let _ = std::fs::remove_file(starts);
    Ok(())
}

fn chess960_starts() -> String {
    let starts = (0..960).filter_map(Position::chess960);
    starts.map(|start| format!("{}\n", start.fen())).collect()
}

/// Plays games of a kind until there are enough or its share of the time is over, but at least one, and returns their
/// number.
fn play(meter: &mut Meter, programs: &Programs, kind: &Kind) -> Result<u64, Stop> {
    let mut command = programs.command(&["match", "bot", "bot", "--games", "20000", "--json"]);
    command.args(["--clock", kind.clock]);
    if let Some(openings) = &kind.openings {
        command.arg("--openings").arg(openings);
    }
    let mut child = command
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(Stop::broken)?;
    let end = Instant::now() + meter.time() * kind.share / 6;
    let output = child.stdout.take();
    let output = output.ok_or_else(|| Stop::Broken("no output".to_owned()))?;
    let (mut played, mut asked_to_end) = (0, false);
    for line in BufReader::new(output).lines().map_while(Result::ok) {
        if line.contains("\"event\":\"game\"") && !asked_to_end {
            played += 1;
            meter.attempt(|| match line.contains("\"fault\":null") {
                true => Ok(()),
                false => Err(format!("{}: {line}", kind.name)),
            });
            meter.goes_on(u64::MAX);
        }
        let is_enough = played >= kind.count || (played > 0 && Instant::now() > end);
        if is_enough && !asked_to_end {
            // With an interrupt, so that the running games end properly.
            signal(child.id(), "INT");
            asked_to_end = true;
        }
    }
    let status = child.wait().map_err(Stop::broken)?;
    if played < kind.count && !asked_to_end {
        let name = kind.name;
        meter.fail(format!("{name}: {status} after {played} games"));
    }
    Ok(played)
}
