//! Rows about what the engine says and does behind the protocol, through the real program.

use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tabiya_rules::SplitMix64;

use crate::meter::{Meter, Stop};
use crate::program::{Programs, Talk, peak_kib, resident_kib, signal};
use crate::samples::Samples;

const READY: Duration = Duration::from_secs(5);
/// So long means that it hangs.
pub(super) const HANG: Duration = Duration::from_secs(20);

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
pub(super) fn mutations(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
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
pub(super) fn sessions(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
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

pub(super) fn latency(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
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
    meter.figure(echoes()?.words("an echo through cat, for comparison,"));
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

/// How long the system itself takes for a line there and back: through a program that does nothing else.
fn echoes() -> Result<Samples, Stop> {
    let mut cat = Command::new("cat");
    cat.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut talk = Talk::with(cat)?;
    let mut times = Samples::default();
    for _ in 0..200 {
        thread::sleep(Duration::from_millis(20));
        let begun = Instant::now();
        talk.say(b"readyok");
        let (at, _) = talk.until("readyok", HANG).map_err(Stop::Broken)?;
        times.add(at.saturating_duration_since(begun));
    }
    Ok(times)
}

/// Ends it in three ways, whatever it is doing.
pub(super) fn endings(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
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
            let complaint = talk.complaint();
            if took > Duration::from_millis(500) || !status.success() || !complaint.is_empty() {
                return Err(format!("{what}: {status} after {took:?}, {complaint:?}"));
            }
            Ok(())
        });
    }
    meter.figure(times.words("end"));
    Ok(())
}
