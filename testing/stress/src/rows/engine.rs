//! Rows about the engine behind the protocol, through the real program.

mod talk;

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tabiya_rules::{Position, SplitMix64};

use crate::meter::{Fault, Impossible, Meter, Samples, ensure};
use crate::process::{Program, descriptors, resident_kib, signal};
use talk::Talk;

pub(super) fn latency(meter: &mut Meter, program: &Program) -> Result<(), Fault> {
    let busy = AtomicBool::new(true);
    thread::scope(|scope| {
        // They take all the CPU time they can get.
        for _ in 0..4 * thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while busy.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let measured = under_load(meter, program);
        busy.store(false, Ordering::Relaxed);
        measured
    })
}

fn under_load(meter: &mut Meter, program: &Program) -> Result<(), Fault> {
    let mut talk = Talk::start(program)?;
    let (mut stops, mut readies) = (Samples::default(), Samples::default());
    let mut random = SplitMix64::new(2);
    while meter.goes_on(2_000) {
        meter.attempt(|| {
            talk.say("position startpos moves e2e4 e7e5\ngo infinite");
            thread::sleep(Duration::from_millis(random.below(60) as u64));
            readies.add(talk.time("isready", "readyok")?);
            stops.add(talk.time("stop", "bestmove")?);
            Ok(())
        });
    }
    // How long the system itself takes for a line there and back, with a program that does nothing else.
    let (mut cat, mut echoes) = (Talk::with(&mut Command::new("cat"))?, Samples::default());
    for _ in 0..200 {
        thread::sleep(Duration::from_millis(20));
        echoes.add(cat.time("readyok", "readyok")?);
    }
    meter.figure(stops.words("stop"));
    meter.figure(readies.words("isready"));
    meter.figure(echoes.words("an echo through cat, for comparison,"));
    for (found, most, what) in [
        (stops.ms(99), 50.0, "stop, 99 of 100"),
        (stops.ms(100), 200.0, "stop, the slowest"),
        (readies.ms(99), 50.0, "isready, 99 of 100"),
    ] {
        if found > most {
            meter.fail(format!("{what}: {found:.1} ms, more than {most}"));
        }
    }
    Ok(())
}

/// What the engine may be doing when it ends.
const STATES: [&str; 12] = [
    "isready",
    "ucinewgame",
    "position startpos moves e2e4 e7e5 g1f3",
    "go depth 2",
    "go nodes 500",
    "go wtime 100 btime 100 winc 1 binc 1 movestogo 5",
    "go ponder depth 1",
    "go infinite",
    "stop",
    "setoption name MultiPV value 2",
    "setoption name Hash value 2",
    "d",
];

/// Ends the engine in three ways, whatever it is doing.
pub(super) fn endings(meter: &mut Meter, program: &Program) -> Result<(), Fault> {
    let mut random = SplitMix64::new(11);
    let mut times = Samples::default();
    for what in ["end of input", "SIGTERM", "closed output"]
        .into_iter()
        .cycle()
    {
        if !meter.goes_on(3_000) {
            break;
        }
        let mut talk = Talk::start(program)?;
        // Before its first answer, the engine may not handle signals yet.
        talk.time("isready", "readyok")?;
        for _ in 0..random.below(4) {
            talk.say(STATES[random.below(STATES.len())]);
        }
        thread::sleep(Duration::from_millis(random.below(40) as u64));
        meter.attempt(|| {
            match what {
                "end of input" => talk.close_input(),
                "SIGTERM" => signal(talk.child.id(), "TERM"),
                _ => talk.close_output("go depth 3\nisready"),
            }
            let (took, status, complaint) =
                talk.end().map_err(|error| format!("{what}: {error}"))?;
            times.add(took);
            let is_good =
                took <= Duration::from_millis(500) && status.success() && complaint.is_empty();
            ensure(is_good, || {
                format!("{what}: {status} after {took:?}, {complaint:?}")
            })
        });
    }
    meter.figure(times.words("end"));
    Ok(())
}

/// Searches the same number of nodes twice, and runs the fixed search of `bench`.
pub(super) fn reproducible(meter: &mut Meter, program: &Program) -> Result<(), Fault> {
    for budget in 1..=20 {
        let line = format!("go nodes {}", budget * 1500);
        meter.attempt(|| {
            let (one, two) = (searched(program, &line)?, searched(program, &line)?);
            ensure(one == two, || format!("{line}: {one:?} and then {two:?}"))
        });
    }
    let mut counts: Vec<String> = Vec::new();
    while meter.goes_on(1_020) {
        let fed = program.feed(&["bench"], |_| Ok(()))?;
        meter.attempt(|| {
            let count = fed
                .out
                .split_once(" nodes")
                .filter(|_| fed.status.success());
            counts.push(
                count
                    .ok_or_else(|| format!("bench ended with {}", fed.status))?
                    .0
                    .to_owned(),
            );
            counts.dedup();
            Ok(())
        });
    }
    if counts.len() > 1 {
        meter.fail(format!("bench counted {counts:?}"));
    }
    meter.figure(format!("bench {}", counts.concat()));
    Ok(())
}

/// Returns the reports of a search, without the words that depend on time.
fn searched(program: &Program, go: &str) -> Result<Vec<String>, Fault> {
    let mut talk = Talk::start(program)?;
    talk.say("position startpos moves d2d4 g8f6 c2c4");
    talk.say(go);
    let mut seen = talk.until("bestmove")?.1;
    for line in &mut seen {
        let words: Vec<&str> = line.split(' ').collect();
        let is_timed = |at: usize| at > 0 && ["time", "nps", "hashfull"].contains(&words[at - 1]);
        let timeless: Vec<&str> = (0..words.len())
            .filter(|&at| !is_timed(at))
            .map(|at| words[at])
            .collect();
        *line = timeless.join(" ");
    }
    Ok(seen)
}

/// How much the memory of an engine varies although its table stays the same.
const OTHERS_KIB: u64 = 512;

/// Sets options beyond their limits, during a search and between searches; then what the memory and the threads really are.
pub(super) fn options(meter: &mut Meter, program: &Program) -> Result<(), Fault> {
    let mut talk = Talk::start(program)?;
    for option in [
        "Hash value 0",
        "Hash value 99999999999",
        "Hash value -1",
        "Threads value 0",
        "Threads value 100000",
        "MultiPV value 0",
        "Move Overhead value 999999999",
        "UCI_Elo value 1",
    ] {
        meter.attempt(|| {
            talk.say(&format!("go infinite\nsetoption name {option}"));
            talk.time("stop", "bestmove")?;
            talk.say(&format!("setoption name {option}"));
            talk.time("go nodes 2000", "bestmove").map(drop)
        });
    }
    // A table too large for the memory causes a message, and the old one stays in use.
    let mut talk = Talk::with(&mut program.limited("ulimit -v 1500000", "uci"))?;
    meter.attempt(|| {
        talk.say("setoption name Hash value 32768\nisready");
        let (_, seen) = talk.until("readyok")?;
        let is_told = seen.iter().any(|line| line.starts_with("info string"));
        ensure(
            is_told,
            || "a table that there is no memory for was taken without a word",
        )?;
        talk.time("go nodes 20000", "bestmove").map(drop)
    });
    let mut talk = Talk::start(program)?;
    for threads in [1, 2, 3, 8, 64, 256, 1] {
        meter.attempt(|| {
            talk.say(&format!("setoption name Threads value {threads}"));
            talk.time("go movetime 200", "bestmove")?;
            talk.time("isready", "readyok").map(drop)
        });
    }
    // The table has exactly the requested size.
    for mebibytes in [1, 16, 64, 256] {
        let mut talk = Talk::start(program)?;
        let mut filled = |mebibytes: u64| -> Result<u64, Fault> {
            talk.say(&format!("setoption name Hash value {mebibytes}"));
            talk.time("go nodes 3000000", "bestmove")?;
            Ok(resident_kib(talk.child.id())
                .ok_or(Impossible("the system does not tell of memory"))?)
        };
        let least = filled(1)?;
        let more = filled(mebibytes)?.saturating_sub(least);
        meter.figure(format!("Hash {mebibytes}: +{more} KiB"));
        let wanted = (mebibytes - 1) * 1024;
        // The other memory of a program varies a little.
        let (least, most) = (
            (wanted * 95 / 100).saturating_sub(OTHERS_KIB),
            wanted * 105 / 100 + OTHERS_KIB,
        );
        meter.attempt(|| {
            let is_honored = (least..=most).contains(&more);
            ensure(is_honored, || {
                format!("Hash {mebibytes}: {more} KiB more than with 1, not {least} to {most}")
            })
        });
    }
    Ok(())
}

/// Searches for as long as the row has, and compares the memory at half time with that at the end.
pub(super) fn soak(meter: &mut Meter, program: &Program) -> Result<(), Fault> {
    let mut talk = Talk::start(program)?;
    let process = talk.child.id();
    let holdings = || Some((resident_kib(process)?, descriptors(process)?));
    let (begun, mut early) = (Instant::now(), None);
    let mut random = SplitMix64::new(23);
    while meter.goes_on(u64::MAX) {
        meter.attempt(|| {
            talk.say(&format!(
                "ucinewgame\nposition fen {}",
                random_position(&mut random).fen()
            ));
            talk.time("go nodes 20000", "bestmove").map(drop)
        });
        // By then, the search has touched all the memory it ever uses, such as its stack.
        if early.is_none() && begun.elapsed() > meter.time() / 2 {
            early = holdings();
        }
    }
    if let (Some((early, open)), Some((late, still_open))) = (early, holdings()) {
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

fn random_position(random: &mut SplitMix64) -> Position {
    let mut position = Position::start();
    for _ in 0..10 + random.below(30) {
        let moves = position.legal_moves();
        let next = position.play_unchecked(moves[random.below(moves.len())]);
        if !next.has_legal_move() {
            break;
        }
        position = next;
    }
    position
}
