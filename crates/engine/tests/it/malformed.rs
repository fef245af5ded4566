//! Malformed input: ignored with a line, the last good position kept, and the engine goes on.

use std::time::{Duration, Instant};

use tabiya_rules::SplitMix64;

use test_suites::{Suites, UCI_MALFORMED, test_on_suites, unescape};

use crate::support::{Conversation, assert_legal, is_best, size};

test_on_suites!(every_malformed_line_of_the_suite);

const SECOND: Duration = Duration::from_secs(5);

fn every_malformed_line_of_the_suite(suites: &Suites) {
    let mut talk = Conversation::start();
    talk.send(b"position startpos moves e2e4");
    talk.send(b"isready");
    talk.lines.until(|line| line == "readyok", SECOND);
    let before = talk.resident_kib();
    for row in suites.rows(UCI_MALFORMED) {
        check(&mut talk, row[0] == "go", &unescape(&row[1..].join("\t")));
    }
    let after = talk.resident_kib();
    assert!(
        after < before + 64 * 1024,
        "memory grew from {before} to {after} KiB"
    );
    talk.send(b"quit");
    talk.assert_exit(SECOND);
}

/// Sends a line that may be anything but `quit`, and looks at everything that comes back.
fn check(talk: &mut Conversation, is_go: bool, line: &[u8]) {
    talk.send(line);
    if is_go {
        talk.send(b"stop");
    }
    talk.send(b"isready");
    let text = String::from_utf8_lossy(line);
    let start: String = text.chars().take(80).collect();
    let mut seen = talk.lines.until(|line| line == "readyok", SECOND);
    if text.contains("isready") && seen.len() == 1 {
        // The line may have been one itself; then a second answer follows.
        talk.send(b"d");
        seen.extend(talk.lines.until(|line| line.starts_with("Key"), SECOND));
    }
    let best: Vec<_> = seen.iter().filter(|line| is_best(line)).collect();
    assert_eq!(best.len(), usize::from(is_go), "{start}: {seen:?}");
    if let [best] = best[..] {
        assert_legal(talk.position(), best);
    }
    let complaints = seen.iter().filter(|line| line.starts_with("info string"));
    assert!(complaints.count() <= 1, "{start}: {seen:?}");
}

#[test]
fn the_last_good_position_is_kept() {
    let mut talk = Conversation::start();
    talk.send(b"position startpos moves e2e4");
    for bad in [
        "position startpos moves e2e4 e2e4",
        "position startpos moves e4",
        "position fen x",
        "position",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "setoption name Hash value 0",
        "setoption name NoSuchOption value 1",
    ] {
        talk.send(bad.as_bytes());
        let complaint = talk.lines.next(SECOND).expect("a complaint");
        assert!(complaint.starts_with("info string "), "{complaint}");
    }
    talk.send(b"d");
    let seen = talk.lines.until(|line| line.starts_with("Fen: "), SECOND);
    assert_eq!(
        seen.last().expect("a line"),
        "Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    );
}

#[test]
fn a_line_that_is_too_long_is_ignored() {
    let mut talk = Conversation::start();
    talk.send(&vec![b'x'; 1 << 20]);
    let complaint = talk.lines.next(SECOND).expect("a complaint");
    assert_eq!(complaint, "info string ignored a line that is too long");
    talk.send(b"quit");
    talk.assert_exit(SECOND);
}

const GOOD: [&str; 24] = [
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
    "register later",
    "setoption name MultiPV value 2",
    "setoption name Hash value 2",
    "setoption name UCI_Chess960 value true",
    "setoption name Clear Hash",
    "d",
];

/// Returns a line with bytes changed, removed or inserted, or with another line joined to it.
fn changed(random: &mut SplitMix64) -> Vec<u8> {
    let mut line = GOOD[random.below(GOOD.len())].as_bytes().to_vec();
    for _ in 0..random.below(4) {
        let at = random.below(line.len() + 1);
        match random.below(6) {
            0 => line.insert(at, random.next_u64() as u8),
            1 => line.truncate(at),
            2 if at < line.len() => line[at] = random.next_u64() as u8,
            3 if at < line.len() => drop(line.remove(at)),
            4 => line.extend_from_slice(GOOD[random.below(GOOD.len())].as_bytes()),
            _ => drop(line.splice(at..at, *b" 99999999999999999999 ")),
        }
    }
    line.retain(|&byte| byte != b'\n');
    line
}

/// The engine is soon ready again after each, and a refused one leaves the position as it was. `TABIYA_CHANGED_LINES` says
/// how many.
#[test]
fn changed_lines_do_no_harm() {
    let release = std::env::var_os("TABIYA_RELEASE").is_some();
    let most = if release {
        Duration::from_secs(1)
    } else {
        SECOND
    };
    let mut random = SplitMix64::new(6);
    let mut talk = Conversation::start();
    let before = talk.resident_kib();
    let mut last = String::new();
    let mut slowest = Duration::ZERO;
    for number in 0..size("TABIYA_CHANGED_LINES", 2_000) {
        let line = changed(&mut random);
        let text = String::from_utf8_lossy(&line).into_owned();
        // The first ends the engine as asked, and the others may take long.
        if ["quit", "bench", "perft"]
            .iter()
            .any(|word| text.contains(word))
        {
            continue;
        }
        let begun = Instant::now();
        talk.send(&line);
        for line in ["stop", "isready", "d"] {
            talk.send(line.as_bytes());
        }
        // A changed line may contain `isready` as well; this name occurs only once.
        let name = format!("'End{number}'");
        talk.send(format!("setoption name End{number}").as_bytes());
        let seen = talk.lines.until(|line| line.ends_with(&name), SECOND * 4);
        slowest = slowest.max(begun.elapsed());
        assert!(
            seen.iter().any(|line| line == "readyok"),
            "{text:?}: {seen:?}"
        );
        let shown = seen
            .iter()
            .rev()
            .find_map(|line| line.strip_prefix("Fen: "));
        let shown = shown.expect("the position is shown").to_owned();
        let is_told = |line: &String| line.starts_with("info string");
        let may_change = text.contains("position") && !seen[..seen.len() - 1].iter().any(is_told);
        assert!(
            may_change || number == 0 || shown == last,
            "{text:?}: from {last} to {shown}"
        );
        last = shown;
    }
    let after = talk.resident_kib();
    println!("ready after {slowest:?} at most, {after} KiB after {before}");
    assert!(slowest < most, "{slowest:?}");
    assert!(
        after < before + 64 * 1024,
        "memory grew from {before} to {after} KiB"
    );
    talk.send(b"quit");
    talk.assert_exit(SECOND);
}
