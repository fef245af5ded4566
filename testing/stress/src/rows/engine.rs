//! Rows about the engine behind the protocol, through the real program.

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
/// After this long, the engine hangs.
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

/// Sends protocol lines with bytes changed, removed, doubled or joined. The engine must soon be ready again, and a
/// refused line must leave the position unchanged.
pub(super) fn mutations(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let mut random = SplitMix64::new(5);
    let mut talk = Talk::start(programs)?;
    talk.say(b"position startpos moves e2e4\nd");
    let (_, seen) = talk.until_told_of("Begin", READY).map_err(Stop::Broken)?;
    let mut shown = shown_fen(&seen).map_err(Stop::Broken)?;
    let before = resident_kib(talk.child.id()).unwrap_or(0);
    let mut ready = Samples::default();
    let mut number = 0;
    while meter.goes_on(10_000) {
        let line = changed_line(&mut random);
        // `quit` ends the engine as asked, and perft may take long.
        let text = String::from_utf8_lossy(&line).into_owned();
        if ["quit", "perft", "bench"]
            .iter()
            .any(|word| text.contains(word))
        {
            continue;
        }
        number += 1;
        meter.attempt(|| {
            let begun = Instant::now();
            talk.say(&line);
            talk.say(b"stop\nisready\nd");
            // A changed line may contain `isready` as well; this name occurs only once.
            let answered = talk.until_told_of(&format!("End{number}"), HANG);
            let (at, seen) = answered.map_err(|error| format!("{text:?}: {error}"))?;
            let took = at.saturating_duration_since(begun);
            ready.add(took);
            let last = std::mem::replace(&mut shown, shown_fen(&seen)?);
            check_answer(&text, &seen, (&last, &shown))?;
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

/// Returns the last position shown.
fn shown_fen(seen: &[String]) -> Result<String, String> {
    let mut fens = seen.iter().filter_map(|line| line.strip_prefix("Fen: "));
    let fen = fens.next_back().ok_or("no position was shown")?;
    Ok(fen.to_owned())
}

/// Checks that the engine said that it is ready, and that its position changed only if the line sets one and was not
/// refused. The last line of the answer does not tell that.
fn check_answer(text: &str, seen: &[String], (last, shown): (&str, &str)) -> Result<(), String> {
    if !seen.iter().any(|line| line == "readyok") {
        return Err(format!("{text:?}: no readyok"));
    }
    let told = seen[..seen.len() - 1].iter();
    let refused = told
        .into_iter()
        .find(|line| line.starts_with("info string"));
    if last != shown && (refused.is_some() || !text.contains("position")) {
        return Err(format!(
            "{text:?}: the position went from {last} to {shown}, though {}",
            refused.map_or("the line sets none", String::as_str)
        ));
    }
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

/// Runs sessions of random commands at random moments.
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
    let (_, mut seen) = talk.until_told_of("The End", HANG)?;
    talk.say(b"quit");
    let (_, status) = talk.ended(HANG)?;
    // A superfluous move may come as late as this.
    seen.extend(talk.rest(HANG)?);
    let is_move = |line: &&String| line.starts_with("bestmove");
    let moves = seen.iter().filter(is_move).count();
    match (moves == asked, status.success()) {
        (true, true) => Ok(()),
        (false, _) => Err(format!("{moves} moves for {asked} searches")),
        (_, false) => Err(format!("ended with {status}")),
    }
}

/// Busy loops that take all the CPU time they can get.
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

/// Measures how long the system itself takes for a line there and back, with a program that does nothing else.
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

/// Ends the engine in three ways, whatever it is doing.
pub(super) fn endings(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let mut random = SplitMix64::new(11);
    let mut times = Samples::default();
    let mut way = 0;
    while meter.goes_on(3_000) {
        way += 1;
        let mut talk = Talk::start(programs)?;
        // Before its first answer, the engine may not handle signals yet.
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

#[cfg(test)]
mod tests {
    //! Answers with a lost position or without readiness are detected.

    use super::{check_answer, shown_fen};

    fn lines(text: &str) -> Vec<String> {
        text.split('|').map(str::to_owned).collect()
    }

    #[test]
    fn only_a_line_that_sets_a_position_may_change_it() {
        let good = lines("readyok|Fen: b|info string no such option: 'End1'");
        let refused = lines("info string position not set|readyok|Fen: b|info string 'End1'");
        assert_eq!(shown_fen(&good).as_deref(), Ok("b"));
        assert!(check_answer("position startpos", &good, ("a", "b")).is_ok());
        assert!(check_answer("stop", &good, ("a", "b")).is_err());
        assert!(check_answer("stop", &good, ("b", "b")).is_ok());
        assert!(check_answer("position startpox", &refused, ("a", "b")).is_err());
        assert!(check_answer("position startpox", &refused, ("b", "b")).is_ok());
    }

    #[test]
    fn an_answer_without_readyok_is_none() {
        let silent = lines("Fen: a|info string 'End1'");
        assert!(check_answer("stop", &silent, ("a", "a")).is_err());
        assert!(shown_fen(&lines("readyok")).is_err());
    }
}
