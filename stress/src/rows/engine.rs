//! Rows about the engine behind the protocol, through the real program.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tabiya_rules::{Position, SplitMix64, Status};

use super::pgn::signal;
use crate::meter::{Meter, Stop};
use crate::program::{Programs, Talk, peak_kib, resident_kib};
use crate::samples::Samples;

const READY: Duration = Duration::from_secs(5);
/// So long means that it hangs.
const HANG: Duration = Duration::from_secs(20);

const LINES: [&str; 24] = [
    "uci",
    "isready",
    "ucinewgame",
    "debug on",
    "position startpos",
    "position startpos moves e2e4 e7e5 g1f3",
    "position fen 8/8/8/4k3/8/8/4P3/4K3 w - - 0 1",
    "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1",
    "go depth 2",
    "go nodes 500",
    "go movetime 3",
    "go wtime 100 btime 100 winc 1 binc 1 movestogo 5",
    "go mate 1",
    "go depth 1 searchmoves e2e4 d2d4",
    "go ponder depth 1",
    "go infinite",
    "stop",
    "ponderhit",
    "setoption name MultiPV value 2",
    "setoption name Hash value 2",
    "setoption name UCI_Chess960 value true",
    "setoption name Clear Hash",
    "setoption name UCI_ShowWDL value true",
    "d",
];

/// Lines of the protocol with bytes changed, cut, doubled or glued.
pub(crate) fn mutations(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let mut random = SplitMix64::new(5);
    let mut talk = Talk::start(programs)?;
    talk.say(b"isready");
    if let Err(sentence) = talk.until("readyok", READY) {
        return Err(Stop::Broken(sentence));
    }
    let before = resident_kib(talk.child.id()).unwrap_or(0);
    let mut ready = Samples::default();
    while meter.goes_on(10_000) {
        let line = changed_line(&mut random);
        // Ending it is what the line asks for, and a count may take its time.
        let text = String::from_utf8_lossy(&line).into_owned();
        if ["quit", "perft", "bench"]
            .iter()
            .any(|word| text.contains(word))
        {
            continue;
        }
        meter.attempt(|| {
            let begun = Instant::now();
            talk.say(&line);
            talk.say(b"stop");
            talk.say(b"isready");
            let (at, _) = talk
                .until("readyok", HANG)
                .map_err(|error| format!("{text:?}: {error}"))?;
            let took = at.saturating_duration_since(begun);
            ready.add(took);
            if took > Duration::from_secs(1) {
                return Err(format!("{text:?}: ready after {took:?}"));
            }
            Ok(())
        });
    }
    let grown = peak_kib(talk.child.id())
        .unwrap_or(0)
        .saturating_sub(before);
    if grown > 64 * 1024 {
        meter.fail(format!("{grown} KiB more memory"));
    }
    meter.figure(format!("{}, +{} MiB", ready.words("ready"), grown / 1024));
    Ok(())
}

fn changed_line(random: &mut SplitMix64) -> Vec<u8> {
    let mut line = LINES[random.below(LINES.len())].as_bytes().to_vec();
    for _ in 0..random.below(4) {
        let at = random.below(line.len() + 1);
        match random.below(5) {
            0 => line.insert(at, random.next_u64() as u8),
            1 => line.truncate(at),
            2 if at < line.len() => line[at] = random.next_u64() as u8,
            3 => line.extend_from_slice(LINES[random.below(LINES.len())].as_bytes()),
            _ => line
                .splice(at..at, *b" 99999999999999999999 ")
                .for_each(drop),
        }
    }
    line.retain(|&byte| byte != b'\n');
    line
}

/// Sessions of random commands at random moments.
pub(crate) fn sessions(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let mut seed = 0;
    while meter.goes_on(10_000) {
        seed += 1;
        let mut talk = Talk::start(programs)?;
        meter.attempt(|| session(&mut talk, seed).map_err(|error| format!("seed {seed}: {error}")));
    }
    Ok(())
}

fn session(talk: &mut Talk, seed: u64) -> Result<(), String> {
    let mut random = SplitMix64::new(seed);
    let mut asked = 0;
    for _ in 0..100 {
        let line = LINES[random.below(LINES.len())];
        asked += usize::from(line.starts_with("go"));
        talk.say(line.as_bytes());
        if random.below(8) == 0 {
            thread::sleep(Duration::from_millis(random.below(20) as u64));
        }
    }
    talk.say(b"stop");
    talk.say(b"setoption name The End");
    // Whatever is unknown is answered with an info string, after everything before it.
    let mut moves = 0;
    loop {
        let (_, seen) = talk.until("info", HANG)?;
        moves += seen
            .iter()
            .filter(|line| line.starts_with("bestmove"))
            .count();
        if seen.last().is_some_and(|line| line.contains("The End")) {
            break;
        }
    }
    talk.say(b"quit");
    let (_, status) = talk.ended(HANG)?;
    match (moves == asked, status.success()) {
        (true, true) => Ok(()),
        (false, _) => Err(format!("{moves} moves for {asked} searches")),
        (_, false) => Err(format!("ended with {status}")),
    }
}

/// Programs that want all the processor they can get.
struct Load(Arc<AtomicBool>);

impl Load {
    fn start(count: usize) -> Load {
        let on = Arc::new(AtomicBool::new(true));
        for _ in 0..count {
            let on = on.clone();
            thread::spawn(move || {
                while on.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        Load(on)
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

pub(crate) fn latency(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let _load = Load::start(4 * cores);
    let mut talk = Talk::start(programs)?;
    let (mut stops, mut readies) = (Samples::default(), Samples::default());
    let mut random = SplitMix64::new(2);
    while meter.goes_on(2_000) {
        meter.attempt(|| {
            talk.say(b"position startpos moves e2e4 e7e5");
            talk.say(b"go infinite");
            thread::sleep(Duration::from_millis(random.below(60) as u64));
            let begun = Instant::now();
            talk.say(b"isready");
            let (at, _) = talk.until("readyok", HANG)?;
            readies.add(at.saturating_duration_since(begun));
            let begun = Instant::now();
            talk.say(b"stop");
            let (at, _) = talk.until("bestmove", HANG)?;
            stops.add(at.saturating_duration_since(begun));
            Ok(())
        });
    }
    meter.figure(stops.words("stop"));
    meter.figure(readies.words("isready"));
    let goals = [
        (stops.percentile(99), 50, "stop, 99 of 100"),
        (stops.worst(), 200, "stop, the slowest"),
        (readies.percentile(99), 50, "isready, 99 of 100"),
    ];
    for (found, most, what) in goals {
        if found > Duration::from_millis(most) {
            meter.fail(format!("{what}: {found:?}, more than {most} ms"));
        }
    }
    Ok(())
}

/// Ends it in three ways, whatever it is doing.
pub(crate) fn endings(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let mut random = SplitMix64::new(11);
    let mut times = Samples::default();
    let mut way = 0;
    while meter.goes_on(3_000) {
        way += 1;
        let mut talk = Talk::start(programs)?;
        // Before its first answer it may not have begun to listen to signals.
        talk.say(b"isready");
        talk.until("readyok", HANG).map_err(Stop::Broken)?;
        for _ in 0..random.below(4) {
            talk.say(LINES[random.below(LINES.len())].as_bytes());
        }
        thread::sleep(Duration::from_millis(random.below(40) as u64));
        meter.attempt(|| {
            let what = ["end of input", "SIGTERM", "closed output"][way % 3];
            match way % 3 {
                0 => talk.close_input(),
                1 => signal(talk.child.id(), "TERM"),
                _ => {
                    talk.close_output();
                    talk.say(b"go depth 3\nisready");
                }
            }
            let (took, status) = talk
                .ended(HANG)
                .map_err(|error| format!("{what}: {error}"))?;
            times.add(took);
            if took > Duration::from_millis(500) || !status.success() {
                return Err(format!("{what}: {status} after {took:?}"));
            }
            Ok(())
        });
    }
    meter.figure(times.words("end"));
    Ok(())
}

/// Searches with the same number of nodes, twice, and the fixed search of `bench`.
pub(crate) fn reproducible(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
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
pub(crate) fn truth(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
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
            position = position.play(moves[random.below(moves.len())]);
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
    for line in seen {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |name: &str| -> Option<i64> {
            let at = words.iter().position(|word| *word == name)?;
            words.get(at + 1)?.parse().ok()
        };
        if words.first() == Some(&"bestmove") {
            let best = words.get(1).copied().unwrap_or("");
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
        let mut after = *position;
        for text in &words[at + 1..] {
            let m = after
                .parse_uci(text)
                .map_err(|_| format!("{text} cannot be played: {line}"))?;
            after = after.play(m);
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

/// Options beyond their edges, in a search and between searches.
pub(crate) fn options(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    for megabytes in [1, 16, 64, 256] {
        let mut talk = Talk::start(programs)?;
        let filled = |talk: &mut Talk| -> Result<u64, String> {
            talk.say(b"go nodes 3000000");
            talk.until("bestmove", HANG * 6)?;
            Ok(resident_kib(talk.child.id()).unwrap_or(0))
        };
        talk.say(b"setoption name Hash value 1");
        let least = filled(&mut talk).map_err(Stop::Broken)?;
        talk.say(format!("setoption name Hash value {megabytes}").as_bytes());
        meter.attempt(|| {
            let memory = filled(&mut talk)?.saturating_sub(least);
            let most = megabytes * 1024 * 105 / 100 + 4096;
            match memory <= most {
                true => Ok(()),
                false => Err(format!("Hash {megabytes}: {memory} KiB more")),
            }
        });
    }
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
    Ok(())
}

/// Searches for as long as the row has; memory is compared after the first fifth.
pub(crate) fn soak(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
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
        if early.is_none() && begun.elapsed() > meter.time() / 5 {
            early = resident_kib(talk.child.id());
        }
    }
    let late = resident_kib(talk.child.id());
    if let (Some(early), Some(late)) = (early, late) {
        meter.figure(format!("{early} KiB early, {late} KiB late"));
        if late > early + early / 100 {
            meter.fail(format!("memory grew from {early} to {late} KiB"));
        }
    }
    Ok(())
}

fn random_position(random: &mut SplitMix64) -> Position {
    loop {
        let mut position = Position::start();
        for _ in 0..10 + random.below(30) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[random.below(moves.len())]);
        }
        if position.has_legal_move() {
            return position;
        }
    }
}

/// Games of the engine against itself on short clocks: nobody loses on time, crashes or plays what is no move.
pub(crate) fn games(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    for (clock, share) in [("1s+0.01s", 2), ("0.1s+0.01s", 1)] {
        let mut child = programs
            .command(&[
                "match", "bot", "bot", "--games", "20000", "--clock", clock, "--json",
            ])
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| Stop::Broken(error.to_string()))?;
        let ended = Instant::now() + meter.time() * share / 3;
        let output = child.stdout.take();
        let output = output.ok_or_else(|| Stop::Broken("no output".to_owned()))?;
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if line.contains("\"event\":\"game\"") {
                meter.attempt(|| match line.contains("\"fault\":null") {
                    true => Ok(()),
                    false => Err(format!("{clock}: {line}")),
                });
            }
            if !meter.goes_on(20_000) || Instant::now() > ended {
                // Politely, so that the games that are going on are ended in order.
                signal(child.id(), "INT");
                break;
            }
        }
        child
            .wait()
            .map_err(|error| Stop::Broken(error.to_string()))?;
    }
    Ok(())
}
