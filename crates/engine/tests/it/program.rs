//! The ends of the program: its input ends, or nobody reads its output, at any moment.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::{Conversation, program};

/// The goal is half a second; a busy machine gets more.
const LIMIT: Duration = Duration::from_secs(2);

const STATES: [&[u8]; 4] = [
    b"isready",
    b"go infinite",
    b"go depth 4",
    b"go ponder movetime 10",
];

#[test]
fn it_ends_when_its_input_ends() {
    for state in STATES {
        let mut talk = Conversation::start();
        talk.send(state);
        std::thread::sleep(Duration::from_millis(30));
        talk.input = None;
        talk.assert_exit(LIMIT);
    }
}

/// The whole output for an input that ends after its last line.
fn answer(input: &str) -> String {
    let mut child = Command::new(program())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    pipe.write_all(input.as_bytes()).expect("it reads");
    drop(pipe);
    let output = child.wait_with_output().expect("it is ours");
    assert!(output.status.success(), "{}", output.status);
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn a_count_is_finished_when_the_input_ends() {
    for (input, end) in [
        ("go perft 5\n", "\nNodes searched: 4865609\n"),
        ("go perft 5\nisready", "\nNodes searched: 4865609\n"),
        ("go perft 2\nquit\n", "\nNodes searched: 400\n"),
        ("bench\n", " nps\n"),
    ] {
        let text = answer(input);
        assert!(text.ends_with(end), "{input:?}: {text}");
    }
    // One that was stopped is not.
    assert!(!answer("go perft 15\nstop\n").contains("Nodes searched"));
}

#[test]
#[cfg(unix)]
fn it_ends_quietly_when_nobody_reads() {
    for state in STATES.into_iter().chain([b"go perft 15".as_slice()]) {
        let mut child = Command::new(program())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut input = child.stdin.take().expect("a pipe");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        writeln!(input, "isready").expect("it reads");
        output.read_line(&mut String::new()).expect("readyok");
        input.write_all(state).expect("it reads");
        input.write_all(b"\n").expect("it reads");
        std::thread::sleep(Duration::from_millis(20));
        drop(output);
        // Mostly the input stays open: only the closed output can end it. It ends a count that goes on after the input.
        let input = (state != b"go perft 15").then_some(input);
        let begun = std::time::Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().expect("it is ours") {
                break status;
            }
            assert!(
                begun.elapsed() < LIMIT,
                "{}",
                String::from_utf8_lossy(state)
            );
            std::thread::sleep(Duration::from_millis(2));
        };
        assert!(status.success(), "{status}");
        let mut said = String::new();
        std::io::Read::read_to_string(&mut child.stderr.take().expect("a pipe"), &mut said)
            .expect("text");
        assert_eq!(said, "");
        drop(input);
    }
}

#[test]
fn it_ends_though_its_output_is_full() {
    let mut child = Command::new(program())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    let output = child.stdout.take().expect("a pipe");
    // More answers than a pipe holds, and nobody reads them.
    for _ in 0..100 {
        input.write_all(b"uci\nd\n").expect("it reads");
    }
    std::thread::sleep(Duration::from_millis(200));
    drop(input);
    let begun = std::time::Instant::now();
    while child.try_wait().expect("it is ours").is_none() {
        assert!(begun.elapsed() < LIMIT);
        std::thread::sleep(Duration::from_millis(2));
    }
    drop(output);
}

#[test]
fn it_ends_though_many_commands_wait_and_nobody_reads() {
    for by_quit in [true, false] {
        let mut child = Command::new(program())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let output = child.stdout.take().expect("a pipe");
        let mut input = Some(child.stdin.take().expect("a pipe"));
        let commands = "uci\nd\n".repeat(20_000);
        let pipe = input.as_mut().expect("open");
        pipe.write_all(commands.as_bytes()).expect("it reads");
        match by_quit {
            true => pipe.write_all(b"quit\n").expect("it reads"),
            false => input = None,
        }
        let begun = std::time::Instant::now();
        while child.try_wait().expect("it is ours").is_none() {
            assert!(begun.elapsed() < LIMIT, "by quit: {by_quit}");
            std::thread::sleep(Duration::from_millis(2));
        }
        drop((input, output));
    }
}

#[test]
#[cfg(unix)]
fn a_non_blocking_input_is_read() {
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;

    let (mut ours, theirs) = UnixStream::pair().expect("a pair of sockets");
    theirs.set_nonblocking(true).expect("a socket");
    let mut child = Command::new(program())
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    for line in ["isre", "ady\n", "isready\n"] {
        std::thread::sleep(Duration::from_millis(30));
        ours.write_all(line.as_bytes()).expect("it reads");
    }
    for _ in 0..2 {
        let mut line = String::new();
        output.read_line(&mut line).expect("text");
        assert_eq!(line, "readyok\n");
    }
    drop(ours);
    assert!(child.wait().expect("it is ours").success());
}
