//! What a release is measured by, here at a small size and with much patience: how soon the engine answers on a busy machine,
//! options at their edges, memory, and the same search again. With `TABIYA_RELEASE` the goals count.

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tabiya_rules::SplitMix64;

use crate::support::{Conversation, size};

fn is_release() -> bool {
    std::env::var_os("TABIYA_RELEASE").is_some()
}

/// The time below which this many of a hundred lie, in milliseconds.
fn percentile(times: &mut [Duration], percent: usize) -> f64 {
    times.sort_unstable();
    times[(times.len() * percent / 100).min(times.len() - 1)].as_secs_f64() * 1e3
}

/// Ends busy loops, even if a test panics.
struct Quiet<'a>(&'a AtomicBool);

impl Drop for Quiet<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

/// `TABIYA_STOPS` says how often.
#[test]
fn it_stops_and_is_ready_soon_with_four_programs_for_each_core() {
    let busy = AtomicBool::new(true);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (mut stops, mut readies, mut echoes) = (Vec::new(), Vec::new(), Vec::new());
    std::thread::scope(|scope| {
        let _quiet = Quiet(&busy);
        for _ in 0..4 * cores {
            scope.spawn(|| {
                while busy.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let mut talk = Conversation::start();
        // How long the system itself takes for a line there and back, with a program that does nothing else.
        let mut cat = Conversation::with(&mut Command::new("cat"));
        let mut random = SplitMix64::new(2);
        for _ in 0..size("TABIYA_STOPS", 20) {
            talk.send(b"position startpos moves e2e4 e7e5");
            talk.send(b"go infinite");
            std::thread::sleep(Duration::from_millis(random.below(60) as u64));
            readies.push(talk.time("isready", "readyok"));
            stops.push(talk.time("stop", "bestmove"));
            echoes.push(cat.time("readyok", "readyok"));
        }
    });
    for (times, what, goals) in [
        // For comparison, and first, because a goal that is missed ends the test.
        (&mut echoes, "an echo through cat", [f64::INFINITY; 2]),
        (&mut stops, "stop", [50.0, 200.0]),
        (&mut readies, "isready", [50.0, f64::INFINITY]),
    ] {
        let found = [99, 100].map(|percent| percentile(times, percent));
        println!("{what} p99 {:.1} ms, max {:.1} ms", found[0], found[1]);
        let patience = if is_release() { 1.0 } else { 100.0 };
        assert!(
            found[0] <= patience * goals[0] && found[1] <= patience * goals[1],
            "{what}: {found:?}"
        );
    }
}

/// What a search says, without the numbers that depend on time.
fn timeless(go: &str) -> Vec<String> {
    let mut talk = Conversation::start();
    talk.send(b"position startpos moves d2d4 g8f6 c2c4");
    talk.send(go.as_bytes());
    let seen = talk
        .lines
        .until(|line| line.starts_with("bestmove"), Duration::from_secs(60));
    let timeless = |line: &String| -> String {
        let words: Vec<&str> = line.split(' ').collect();
        let is_timed = |at: usize| at > 0 && ["time", "nps", "hashfull"].contains(&words[at - 1]);
        let kept = (0..words.len())
            .filter(|&at| !is_timed(at))
            .map(|at| words[at]);
        kept.collect::<Vec<_>>().join(" ")
    };
    seen.iter().map(timeless).collect()
}

/// `TABIYA_BENCHES` says how often the fixed search is run.
#[test]
fn another_process_searches_the_same_nodes() {
    for budget in 1..=20 {
        let go = format!("go nodes {}", budget * 1500);
        assert_eq!(timeless(&go), timeless(&go), "{go}");
    }
    let mut counts: Vec<String> = Vec::new();
    for _ in 0..size("TABIYA_BENCHES", 2) {
        let mut talk = Conversation::start();
        talk.send(b"bench");
        let seen = talk
            .lines
            .until(|line| line.ends_with(" nps"), Duration::from_secs(60));
        let last = seen.last().and_then(|line| line.split_once(" nodes"));
        counts.push(last.expect("a count").0.to_owned());
        counts.dedup();
    }
    println!("bench {counts:?}");
    assert_eq!(counts.len(), 1);
}

#[test]
fn options_beyond_their_limits_cost_no_move() {
    let mut talk = Conversation::start();
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
        talk.send(b"go infinite");
        talk.send(format!("setoption name {option}").as_bytes());
        talk.time("stop", "bestmove");
        talk.send(format!("setoption name {option}").as_bytes());
        talk.time("go nodes 2000", "bestmove");
    }
}

#[test]
fn it_plays_with_one_thread_some_and_many() {
    let mut talk = Conversation::start();
    for threads in [1, 2, 3, 8, 64, 256, 1] {
        talk.send(format!("setoption name Threads value {threads}").as_bytes());
        talk.time("go movetime 200", "bestmove");
        talk.time("isready", "readyok");
    }
}

/// Small tables are full sooner.
#[test]
#[cfg(target_os = "linux")]
fn the_table_has_the_size_that_was_asked_for() {
    /// How much the memory of an engine varies although its table stays the same.
    const OTHERS_KIB: u64 = 512;
    let (sizes, nodes) = match is_release() {
        true => (&[1, 16, 64, 256][..], 3_000_000),
        false => (&[1, 16][..], 500_000),
    };
    for &mebibytes in sizes {
        let mut talk = Conversation::start();
        let mut filled = |mebibytes: u64| {
            talk.send(format!("setoption name Hash value {mebibytes}").as_bytes());
            talk.time(&format!("go nodes {nodes}"), "bestmove");
            talk.resident_kib()
        };
        let least = filled(1);
        let more = filled(mebibytes).saturating_sub(least);
        println!("Hash {mebibytes}: +{more} KiB");
        let wanted = (mebibytes - 1) * 1024;
        let (least, most) = (wanted * 95 / 100, wanted * 105 / 100 + OTHERS_KIB);
        assert!(
            (least.saturating_sub(OTHERS_KIB)..=most).contains(&more),
            "{mebibytes} MiB: {more} KiB"
        );
    }
}

/// In the second half of many searches the memory stays as it is. `TABIYA_SOAK_SECONDS` says for how long.
#[test]
#[cfg(target_os = "linux")]
fn searches_without_end_take_no_more_memory() {
    let mut talk = Conversation::start();
    let files = format!("/proc/{}/fd", talk.child.id());
    let files = || std::fs::read_dir(&files).expect("a folder").count();
    let time = Duration::from_secs(size("TABIYA_SOAK_SECONDS", 4));
    let (begun, mut searches, mut early) = (Instant::now(), 0, None);
    let mut random = SplitMix64::new(23);
    while begun.elapsed() < time {
        let mut position = tabiya_rules::Position::start();
        for _ in 0..10 + random.below(30) {
            let moves = position.legal_moves();
            let next = position.play_unchecked(moves[random.below(moves.len())]);
            if next.has_legal_move() {
                position = next;
            }
        }
        talk.send(b"ucinewgame");
        talk.send(format!("position fen {}", position.fen()).as_bytes());
        talk.time("go nodes 20000", "bestmove");
        searches += 1;
        // By then, the search has touched all the memory it ever uses, such as its stack.
        if early.is_none() && begun.elapsed() > time / 2 {
            early = Some((talk.resident_kib(), files()));
        }
    }
    let (early, open) = early.expect("more than one search");
    let late = talk.resident_kib();
    println!("{searches} searches, {early} KiB early, {late} KiB late");
    let percent = if is_release() { 1 } else { 20 };
    assert!(
        late <= early + early * percent / 100,
        "memory grew from {early} to {late} KiB"
    );
    assert!(files() <= open, "{open} open files became more");
}
