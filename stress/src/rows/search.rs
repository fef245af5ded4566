//! Rows about what a search finds, says and holds, through the real program.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use tabiya_rules::{Position, SplitMix64, Status};

use super::engine::HANG;
use crate::meter::{Meter, Stop};
use crate::program::{Programs, Talk, descriptors, resident_kib, signal};
use crate::table::thousands;

/// Searches with the same number of nodes, twice, and the fixed search of `bench`.
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

/// What a search said, without the parts that tell of time.
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

/// Every line that a search reports can be played, counts up, and has a score that can be.
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
    // The first two moves of the last line that is the best.
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
        // A mate that the whole line shows must be one, for the side that is told to win.
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

/// How much the memory of an engine varies though its table stays the same.
const OTHERS_KIB: u64 = 512;

/// Options beyond their edges, in a search and between searches.
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

/// The table has the size that it is told to have: not more, and not less.
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
            // What else a program holds goes up and down by something.
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

/// A table that there is no memory for: a message, and the old one goes on serving.
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

/// One thread, some, and as many as may be.
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

/// Searches for as long as the row has; memory is compared after the first fifth.
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
        // Until then the search has touched all the memory that it ever uses, such as its stack.
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

/// The memory and the descriptors of an engine.
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

/// A kind of game that the engine plays against itself: its clock, how many, and its part of the time.
struct Kind {
    name: &'static str,
    clock: &'static str,
    count: u64,
    /// Of six.
    share: u32,
    openings: Option<PathBuf>,
}

/// Games of the engine against itself on short clocks: nobody loses on time, crashes or plays what is no move.
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
    // What is left is in the folder for temporary files.
    let _ = std::fs::remove_file(starts);
    Ok(())
}

fn chess960_starts() -> String {
    let starts = (0..960).filter_map(Position::chess960);
    starts.map(|start| format!("{}\n", start.fen())).collect()
}

/// Plays games of a kind until there are enough or its part of the time is over, but at least one, and gives how many.
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
            // Politely, so that the games that are going on are ended in order.
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
