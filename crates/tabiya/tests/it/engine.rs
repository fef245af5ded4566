//! `tabiya uci` and `tabiya bench` through the real program.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::run_with;

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

#[test]
#[cfg(unix)]
fn uci_ends_well_when_it_is_terminated() {
    for state in [
        "isready\n",
        "go infinite\n",
        "go ponder movetime 10\n",
        "bench\n",
        "go perft 15\n",
    ] {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_tabiya"))
            .arg("uci")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut input = child.stdin.take().expect("a pipe");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        // By the first answer it listens to signals.
        input.write_all(b"isready\n").expect("it reads");
        output.read_line(&mut String::new()).expect("readyok");
        input.write_all(state.as_bytes()).expect("it reads");
        let pid = child.id().to_string();
        let killed = std::process::Command::new("kill")
            .args(["-TERM", &pid])
            .status();
        assert!(killed.expect("kill is there").success());
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().expect("it is ours") {
                break status;
            }
            // The goal is half a second; a limit that means a hang is wider.
            assert!(begun.elapsed() < Duration::from_secs(5), "{state}");
            std::thread::sleep(Duration::from_millis(2));
        };
        assert!(status.success(), "{state}: {status}");
        let mut said = String::new();
        let errors = child
            .stderr
            .take()
            .expect("a pipe")
            .read_to_string(&mut said);
        assert_eq!((errors.expect("text"), said.as_str()), (0, ""));
    }
}
