//! `tabiya uci` and `tabiya bench` through the real program.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command};
use std::time::{Duration, Instant};

use tabiya_rules::SplitMix64;

use crate::support::{run_with, spawn};

#[test]
fn uci_answers_the_handshake_and_says_one_move_for_each_go() {
    let input = "uci\nisready\nposition startpos moves e2e4\ngo depth 2\n";
    let output = run_with(&["uci"], input);
    assert_eq!(output.code, 0);
    for line in ["uciok", "readyok"] {
        assert!(
            output.out.lines().any(|found| found == line),
            "{}",
            output.out
        );
    }
    assert_eq!(output.out.matches("bestmove").count(), 1, "{}", output.out);
}

#[test]
fn bench_prints_the_same_count_every_time() {
    let count = || {
        let output = run_with(&["bench"], "");
        assert_eq!(output.code, 0);
        let words: Vec<&str> = output.out.split_whitespace().collect();
        assert!(
            matches!(words.as_slice(), [_, "nodes", _, "nps"]),
            "{}",
            output.out
        );
        words[0].parse::<u64>().expect("a count")
    };
    assert_eq!(count(), count());
}

/// The engine as a program that has answered once, so that it listens to signals.
struct Running {
    child: Child,
    input: Option<ChildStdin>,
    output: Option<BufReader<ChildStdout>>,
}

impl Running {
    fn start() -> Running {
        let mut child = spawn(&["uci"]);
        let mut running = Running {
            input: child.stdin.take(),
            output: child.stdout.take().map(BufReader::new),
            child,
        };
        running.say("isready");
        let output = running.output.as_mut().expect("a pipe");
        output.read_line(&mut String::new()).expect("readyok");
        running
    }

    fn say(&mut self, line: &str) {
        let input = self.input.as_mut().expect("a pipe");
        // It may have ended.
        let _ = input.write_all(format!("{line}\n").as_bytes());
    }

    fn terminate(&self) {
        let pid = self.child.id().to_string();
        let killed = Command::new("kill").args(["-TERM", &pid]).status();
        assert!(killed.expect("kill is there").success());
    }

    /// It ends with status 0 in time and without a word. Returns how long that took.
    fn end(&mut self, limit: Duration, what: &str) -> Duration {
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("it is ours") {
                break status;
            }
            assert!(begun.elapsed() < limit, "{what}");
            std::thread::sleep(Duration::from_millis(1));
        };
        let took = begun.elapsed();
        assert!(status.success(), "{what}: {status}");
        let mut said = String::new();
        let mut errors = self.child.stderr.take().expect("a pipe");
        errors.read_to_string(&mut said).expect("text");
        assert_eq!(said, "", "{what}");
        took
    }
}

/// The goal is half a second; a limit that means a hang is wider.
const HANG: Duration = Duration::from_secs(5);

#[test]
#[cfg(unix)]
fn uci_ends_well_when_it_is_terminated() {
    for state in [
        "isready",
        "go infinite",
        "go ponder movetime 10",
        "bench",
        "go perft 15",
    ] {
        let mut engine = Running::start();
        engine.say(state);
        engine.terminate();
        engine.end(HANG, state);
    }
}

/// `TABIYA_ENDS` says how often.
#[test]
#[cfg(unix)]
fn uci_ends_soon_at_any_moment() {
    const STATES: [&str; 10] = [
        "ucinewgame",
        "position startpos moves e2e4 e7e5 g1f3",
        "go depth 2",
        "go nodes 500",
        "go wtime 100 btime 100 winc 1 binc 1 movestogo 5",
        "go ponder depth 1",
        "go infinite",
        "stop",
        "setoption name Hash value 2",
        "d",
    ];
    let ends = std::env::var("TABIYA_ENDS").map_or(30, |text| text.parse().expect("a number"));
    let release = std::env::var_os("TABIYA_RELEASE").is_some();
    let limit = if release { HANG / 10 } else { HANG };
    let mut random = SplitMix64::new(11);
    let mut worst = Duration::ZERO;
    for what in ["end of input", "SIGTERM", "closed output"]
        .into_iter()
        .cycle()
        .take(ends)
    {
        let mut engine = Running::start();
        for _ in 0..random.below(4) {
            engine.say(STATES[random.below(STATES.len())]);
        }
        std::thread::sleep(Duration::from_millis(random.below(40) as u64));
        match what {
            "end of input" => engine.input = None,
            "SIGTERM" => engine.terminate(),
            _ => {
                engine.output = None;
                engine.say("isready\ngo depth 3\nisready");
            }
        }
        worst = worst.max(engine.end(limit, what));
    }
    println!("{ends} ends, the slowest after {worst:?}");
}
