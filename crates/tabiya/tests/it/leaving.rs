//! Every way to leave the full screen, in a pseudo-terminal: the line discipline is as it was, the other screen, the
//! mouse and the paste mode are left, the cursor is seen, and what was said can be read.
//!
//! `TABIYA_LEAVES` says how often each way is gone; a release goes each a hundred times.

#![cfg(unix)]

use std::fs::File;
use std::io::Read;
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, native_pty_system};

use crate::screen::{PATIENCE, Screen, size};
use crate::sequences;

const READY: &str = "White to move · move 1";

fn times() -> u32 {
    let wanted = std::env::var("TABIYA_LEAVES").ok();
    wanted.map_or(2, |text| text.parse().expect("TABIYA_LEAVES is a number"))
}

fn started(variables: &[(&str, &str)]) -> Screen {
    let screen = Screen::start_with(&["play", "--black", "human"], variables);
    screen.wait_for(READY);
    screen
}

/// What must hold after every way out.
#[track_caller]
fn check(screen: &Screen) {
    screen.wait_for_clean();
    sequences::check(&screen.written());
}

#[test]
fn quitting() {
    for keys in [":q\r", ":quit\r", "\u{3}\u{3}", "\u{1b}\u{1b}[A\r"] {
        for _ in 0..times() {
            let mut screen = started(&[]);
            if let Some(rest) = keys.strip_prefix("\u{1b}\u{1b}") {
                // Two escapes in one breath would be one key, so the first is waited for.
                screen.send("\u{1b}");
                screen.wait_for("Leave");
                screen.send(&format!("\u{1b}{rest}"));
            } else {
                screen.send(keys);
            }
            assert!(screen.ends().success(), "{keys:?}");
            check(&screen);
        }
    }
}

/// What is built for release knows no key that fails.
#[cfg(debug_assertions)]
#[test]
fn an_error() {
    for _ in 0..times() {
        let mut screen = started(&[("TABIYA_TEST_PANIC", "error")]);
        screen.send("\u{1b}[24~");
        let status = screen.ends();
        assert_eq!(status.exit_code(), 3, "{status:?}");
        check(&screen);
        screen.wait_for("tabiya: a rehearsed error");
    }
}

/// The same for panics.
#[cfg(debug_assertions)]
#[test]
fn panics() {
    for place in ["main", "worker"] {
        for _ in 0..times() {
            let mut screen = started(&[("TABIYA_TEST_PANIC", place)]);
            screen.send("\u{1b}[24~");
            let status = screen.ends();
            assert!(!status.success(), "{place}: {status:?}");
            check(&screen);
            screen.wait_for(&format!("a rehearsed panic in {place}"));
        }
    }
}

/// The signals of Linux that end a program, and with which nobody reckons.
const RARE: &[&str] = match cfg!(target_os = "linux") {
    true => &["PWR", "STKFLT", "40", "64"],
    false => &[],
};

#[test]
fn signals() {
    let common = [
        "TERM", "HUP", "INT", "QUIT", "USR1", "USR2", "ALRM", "VTALRM", "PROF", "XCPU", "IO",
        "ABRT", "TRAP", "SYS",
    ];
    for signal in common.iter().chain(RARE) {
        for _ in 0..times() {
            let mut screen = started(&[]);
            screen.signal(signal);
            let status = screen.ends();
            assert!(!status.success(), "{signal}: {status:?}");
            check(&screen);
        }
    }
}

/// The line editor has the terminal in raw mode while a line is typed.
#[test]
fn signals_in_the_middle_of_a_line() {
    let common = ["TERM", "HUP", "QUIT", "USR1", "ALRM", "IO", "SYS"];
    for signal in common.iter().chain(RARE) {
        let mut screen = Screen::start(&["play", "--black", "human", "--line"]);
        screen.wait_for("White's turn. Enter move:");
        screen.send("e2");
        screen.wait_for("Enter move: e2");
        assert_ne!(screen.line_discipline(), screen.before, "it is raw");
        screen.signal(signal);
        let status = screen.ends();
        assert!(!status.success(), "{signal}: {status:?}");
        screen.wait_for_clean();
    }
}

/// A limit on the size of files is for the write that meets it, whoever sends the signal.
#[test]
fn a_signal_about_the_size_of_files_is_no_end() {
    let mut screen = started(&[]);
    screen.signal("XFSZ");
    screen.send("e4\r");
    screen.wait_for("White played e4.");
    screen.send(":q\r");
    assert!(screen.ends().success());
    check(&screen);
}

#[test]
fn stopping_and_coming_back() {
    for stop in ["key", "TSTP"] {
        let mut screen = started(&[]);
        for _ in 0..times() {
            match stop {
                "key" => screen.send("\u{1a}"),
                signal => screen.signal(signal),
            }
            check(&screen);
            wait_until_stopped(&screen);
            screen.signal("CONT");
            screen.wait(vt100::Screen::alternate_screen);
            screen.wait_for(READY);
        }
        screen.send("e4\r");
        screen.wait_for("White played e4.");
        screen.send(":q\r");
        assert!(screen.ends().success());
        check(&screen);
    }
}

fn wait_until_stopped(screen: &Screen) {
    let begun = Instant::now();
    let state = || {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", screen.id()));
        let stat = stat.unwrap_or_default();
        let rest = stat.rsplit(") ").next().map(str::to_owned);
        rest.and_then(|rest| rest.chars().next())
    };
    while cfg!(target_os = "linux") && state() != Some('T') {
        assert!(begun.elapsed() < PATIENCE, "it does not stop");
        thread::sleep(Duration::from_millis(5));
    }
}

/// What it draws on is gone while its keys still come: the drawing fails, and the terminal of the keys is given back.
#[test]
#[cfg(target_os = "linux")]
fn a_drawing_that_fails() {
    for _ in 0..times() {
        let paper = native_pty_system()
            .openpty(size(80, 24))
            .expect("a pseudo-terminal");
        let path = paper.master.tty_name().expect("it has a name");
        let mut command = CommandBuilder::new("sh");
        command.args(["-c", "exec \"$0\" play > \"$1\""]);
        command.arg(env!("CARGO_BIN_EXE_tabiya"));
        command.arg(path);
        let mut screen = Screen::spawn(command, &[]);
        let mut drawn = paper.master.try_clone_reader().expect("the other end");
        wait_for_bytes(&mut drawn, b"move>");
        drop((drawn, paper));
        screen.send("e4\r");
        let status = screen.ends();
        assert!(!status.success(), "{status:?}");
        screen.wait_for("tabiya: ");
        let begun = Instant::now();
        while screen.line_discipline() != screen.before {
            assert!(begun.elapsed() < PATIENCE, "{}", screen.line_discipline());
            thread::sleep(Duration::from_millis(5));
        }
    }
}

fn wait_for_bytes(from: &mut Box<dyn Read + Send>, wanted: &[u8]) {
    let (mut seen, mut bytes) = (Vec::new(), [0; 4096]);
    while !seen.windows(wanted.len()).any(|part| part == wanted) {
        let count = from.read(&mut bytes).expect("it writes");
        seen.extend_from_slice(&bytes[..count]);
    }
}

/// The whole terminal is gone, as when its window is closed: the program ends and does not go on in the dark.
#[test]
fn a_terminal_that_is_gone() {
    for _ in 0..times() {
        let pair = native_pty_system()
            .openpty(size(80, 24))
            .expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_tabiya"));
        command.args(["play", "--black", "human"]);
        command.env("TERM", "xterm-256color");
        for (name, value) in crate::support::no_home() {
            command.env(name, value);
        }
        let mut child = pair.slave.spawn_command(command).expect("it starts");
        let mut output = pair.master.try_clone_reader().expect("the other end");
        wait_for_bytes(&mut output, b"move>");
        drop((output, pair));
        let begun = Instant::now();
        while child.try_wait().expect("it can be waited for").is_none() {
            assert!(begun.elapsed() < PATIENCE, "it does not end");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Output that nobody reads any more ends a command in silence.
#[test]
fn a_closed_pipe() {
    let path = std::env::temp_dir().join(format!("tabiya-lines-{}", std::process::id()));
    std::fs::write(&path, "fen\n".repeat(10_000)).expect("a file");
    for _ in 0..times() {
        let mut child = crate::support::command(&["play", "--black", "human"])
            .stdin(File::open(&path).expect("it is there"))
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("the binary can be started");
        drop(child.stdout.take());
        let mut said = String::new();
        let mut err = child.stderr.take().expect("a pipe");
        err.read_to_string(&mut said).expect("UTF-8");
        child.wait().expect("it ends");
        assert_eq!(said, "");
    }
    std::fs::remove_file(path).expect("it is ours");
}
