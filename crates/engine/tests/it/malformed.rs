//! Malformed input: ignored with a line, the last good position kept, and the engine goes on.

use std::time::Duration;

use tabiya_rules::SplitMix64;

use test_suites::{Suites, UCI_MALFORMED, test_on_suites, unescape};

use crate::support::{Conversation, assert_legal, is_best};

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
fn long_lines_and_mutations_do_no_harm() {
    let mut talk = Conversation::start();
    talk.send(&vec![b'x'; 1 << 20]);
    let complaint = talk.lines.next(SECOND).expect("a complaint");
    assert_eq!(complaint, "info string ignored a line that is too long");
    let mut random = SplitMix64::new(6);
    let good = [
        "uci",
        "debug on",
        "isready",
        "setoption name Hash value 32",
        "ucinewgame",
        "position startpos moves e2e4 e7e5",
        "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1",
        "register later",
        "stop",
        "ponderhit",
        "d",
    ];
    for _ in 0..10_000 {
        let mut line = good[random.below(good.len())].as_bytes().to_vec();
        for _ in 0..=random.below(3) {
            let at = random.below(line.len());
            match random.below(3) {
                0 => line[at] = random.next_u64() as u8,
                1 => line.insert(at, random.next_u64() as u8),
                _ if line.len() > 1 => drop(line.remove(at)),
                _ => {}
            }
        }
        line.retain(|&byte| byte != b'\n');
        let text = String::from_utf8_lossy(&line).into_owned();
        if text
            .split_whitespace()
            .any(|word| matches!(word, "go" | "quit" | "bench"))
        {
            continue;
        }
        talk.send(&line);
    }
    // An answer to a command that no mutation of the others can be.
    talk.send(b"setoption name The End");
    let seen = talk
        .lines
        .until(|line| line.contains("The End"), SECOND * 4);
    assert!(!seen.iter().any(|line| is_best(line)));
    talk.send(b"quit");
    talk.assert_exit(SECOND);
}
