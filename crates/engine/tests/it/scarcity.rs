//! Too little memory and too few threads: the search goes on with what there is, and says so.
#![cfg(target_os = "linux")]

use std::io::{Read, Write};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use test_suites::limits::{self, Count};

use crate::support::{Conversation, Lines, is_best, program};

const LIMIT: Duration = Duration::from_secs(20);
/// Starts the engine with a limit of the shell.
fn limited(count: Count, limit: &str) -> Child {
    let mut command = limits::shell(count, &format!("{limit} && exec \"$0\""));
    command
        .arg(program())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.spawn().expect("a shell")
}

/// Starts the engine with so much memory at most, in KiB.
fn with_memory(limit: u32) -> Child {
    limited(Count::Mine, &format!("ulimit -v {limit}"))
}

/// Lets several threads search a position with a hanging queen, and returns what was said.
fn search(child: &mut Child, threads: u32) -> Vec<String> {
    let mut input = child.stdin.take().expect("a pipe");
    let lines = Lines::of(child.stdout.take().expect("a pipe"));
    let commands = format!(
        "setoption name Threads value {threads}\nposition fen 4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1\ngo depth 8\n"
    );
    input.write_all(commands.as_bytes()).expect("it reads");
    let seen = lines.until(is_best, LIMIT);
    input.write_all(b"quit\n").expect("it reads");
    assert!(child.wait().expect("it is ours").success());
    seen
}

fn assert_told_and_searched(seen: &[String]) {
    let told = |line: &String| line.starts_with("info string") && line.contains("thread");
    assert!(seen.iter().any(told), "{seen:?}");
    assert!(
        seen.iter().any(|line| line.contains(" depth 8 ")),
        "{seen:?}"
    );
    assert!(
        seen[seen.len() - 1].starts_with("bestmove e4d5"),
        "{seen:?}"
    );
}

/// Not once in many starts: which thread comes first is a matter of luck.
#[test]
fn threads_without_memory_are_left_out() {
    let starts = std::env::var("TABIYA_SCARCE_STARTS").ok();
    let starts = starts.map_or(25, |text| text.parse().expect("a number"));
    for _ in 0..starts {
        let mut child = with_memory(300_000);
        assert_told_and_searched(&search(&mut child, 64));
    }
    for (limit, threads) in [(400_000, 256), (600_000, 128)] {
        assert_told_and_searched(&search(&mut with_memory(limit), threads));
    }
}

/// A machine that does other things too gets smaller tables and more time than a release.
#[test]
fn a_large_table_delays_no_move() {
    let release = std::env::var_os("TABIYA_RELEASE").is_some();
    let (sizes, most) = if release {
        ([1024, 3072], 200)
    } else {
        ([64, 128], 5_000)
    };
    let most = Duration::from_millis(most);
    for mebibytes in sizes {
        let mut talk = Conversation::start();
        talk.send(b"isready");
        talk.lines.until(|line| line == "readyok", LIMIT);
        let begun = Instant::now();
        talk.send(format!("setoption name Hash value {mebibytes}").as_bytes());
        talk.send(b"go movetime 100");
        talk.lines.until(is_best, LIMIT);
        let took = begun.elapsed();
        assert!(took < most, "{mebibytes} MiB: 100 ms became {took:?}");
    }
}

/// What the first threads reserve may leave the last ones nothing, depending on where the limit is.
#[test]
fn under_any_limit_on_memory_it_searches() {
    for limit in (100_000..600_000).step_by(12_345) {
        let mut child = with_memory(limit);
        let seen = search(&mut child, 64);
        let best = &seen[seen.len() - 1];
        assert!(best.starts_with("bestmove e4d5"), "{limit}: {seen:?}");
    }
}

#[test]
fn a_table_without_memory_is_refused_with_a_word() {
    let mut shell = limits::shell(Count::Mine, "ulimit -v 1500000 && exec \"$0\"");
    let mut talk = Conversation::with(shell.arg(program()));
    talk.send(b"setoption name Hash value 32768");
    talk.send(b"isready");
    let seen = talk.lines.until(|line| line == "readyok", LIMIT);
    let is_told = |line: &String| line.starts_with("info string");
    assert!(seen.iter().any(is_told), "{seen:?}");
    talk.time("go nodes 20000", "bestmove");
}

#[test]
#[ignore = "needs root, or namespaces for users"]
fn threads_that_cannot_be_created_are_left_out() {
    let mut child = limited(Count::Own, "ulimit -u 8");
    assert_told_and_searched(&search(&mut child, 16));
    // Too few even for the server: it says so and ends.
    for limit in 1..6 {
        let mut child = limited(Count::Own, &format!("ulimit -u {limit}"));
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().expect("it is ours") {
                break status;
            }
            assert!(begun.elapsed() < LIMIT, "still running with {limit}");
            std::thread::sleep(Duration::from_millis(5));
        };
        let mut said = String::new();
        let mut stderr = child.stderr.take().expect("a pipe");
        stderr.read_to_string(&mut said).expect("text");
        assert!(
            !status.success() && !said.is_empty(),
            "{limit}: {status} {said:?}"
        );
    }
}
