//! What holds for every command: help, wrong flags, closed pipes, and nothing from outside that acts on a terminal.

use std::process::Stdio;

use crate::support::{command, finished, run, run_with, spawn};

const COMMANDS: [&str; 21] = [
    "play",
    "moves",
    "status",
    "perft",
    "pgn",
    "book",
    "db",
    "explorer",
    "match",
    "analyse",
    "engines",
    "uci",
    "bench",
    "review",
    "serve",
    "export",
    "import",
    "show",
    "train",
    "completions",
    "man",
];

#[test]
fn every_command_has_help_with_examples() {
    for command in COMMANDS {
        let help = run(&[command, "--help"]).fine();
        assert!(help.contains("Examples:\n"), "{command}");
        assert!(help.contains(&format!("tabiya {command}")), "{command}");
    }
    let check = run(&["engines", "check", "--help"]).fine();
    assert!(check.contains("Examples:\n"), "{check}");
    let help = run(&["--help"]).fine();
    assert!(help.contains("Examples:\n") && help.contains("Exit codes"));
    assert!(
        COMMANDS.iter().all(|command| help.contains(command)),
        "{help}"
    );
    assert_eq!(
        run(&["--version"]).fine(),
        concat!("tabiya ", env!("CARGO_PKG_VERSION"), "\n")
    );
}

#[test]
fn wrong_flags_are_exit_code_2_on_stderr() {
    for arguments in [
        &["castle"][..],
        &["moves", "--flop"],
        &["perft"],
        &["perft", "deep"],
        &["perft", "300"],
        &["perft", "3", "--threads", "0"],
        &["perft", "3", "--hash", "0"],
        &["perft", "3", "--suite", "file"],
        &["perft", "3", "--max-nodes", "5"],
        &["perft", "--suite"],
        &["status", "--draws", "never"],
        &["completions"],
    ] {
        let run = run(arguments);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}");
        assert!(!run.err.is_empty(), "{arguments:?}");
    }
}

/// `tabiya --json moves` is what people type who think of the flags as the program's.
#[test]
fn flags_before_a_command_are_taken_as_after_it() {
    for (before, after) in [
        (&["--json", "play"][..], &["play", "--json"][..]),
        (
            &["--color", "16", "--line", "play", "--draws", "auto"],
            &["play", "--color", "16", "--line", "--draws", "auto"],
        ),
        (&["--clock=5+3", "play"], &["play", "--clock=5+3"]),
        (&["--json", "moves", "--uci"], &["moves", "--json", "--uci"]),
        (
            &["--json", "pgn", "check", "-"],
            &["pgn", "check", "--json", "-"],
        ),
    ] {
        let expected = run_with(after, "e4\n");
        assert_ne!(expected.code, 2, "{expected:?}");
        assert_eq!(run_with(before, "e4\n"), expected, "{before:?}");
    }
    // Help and version are answered wherever they are asked for.
    assert_eq!(run(&["--help", "moves"]), run(&["--help"]));
    assert_eq!(run(&["--version", "moves"]), run(&["--version"]));
}

#[test]
fn a_flag_that_has_no_place_is_told_one() {
    let said = |arguments: &[&str]| {
        let run = run(arguments);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}");
        run.err
    };
    let perft = said(&["--line", "perft", "3"]);
    assert!(
        perft.contains("unexpected argument '--line'") && perft.contains("tabiya perft"),
        "{perft}"
    );
    let clock = said(&["--clock", "5+3"]);
    assert!(
        clock.contains("it is a flag of a command: 'tabiya play --clock'"),
        "{clock}"
    );
    assert!(!said(&["--nothing"]).contains("tip"));
}

#[test]
fn a_closed_stdout_ends_a_command_quietly() {
    for arguments in [
        &["moves"][..],
        &[],
        &["play", "--json"],
        &["status"],
        &["perft", "2", "--divide"],
        &["show", "startpos"],
        &["man"],
        &["completions", "bash"],
        &["--help"],
    ] {
        let mut child = spawn(arguments);
        drop(child.stdout.take());
        let run = finished(&child.wait_with_output().expect("the child ends"));
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_without_room_is_exit_code_3() {
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .expect("/dev/full");
    let child = command(&["moves"])
        .stdin(Stdio::null())
        .stdout(full)
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary can be started");
    let run = finished(&child.wait_with_output().expect("the child ends"));
    assert_eq!(run.code, 3);
    assert!(
        run.err.starts_with("tabiya: the output cannot be written"),
        "{}",
        run.err
    );
}

#[test]
fn nothing_from_outside_acts_on_the_terminal() {
    let bad = "\u{1b}[31m\u{9b}2J\u{202e}\u{7}x";
    let suite = format!("{bad} ;D1 20\n{bad}\n{bad} ;D1 {bad}\n");
    let runs = [
        run(&["moves", bad]),
        run(&["moves", "--from", bad]),
        run(&["status", "--moves", bad]),
        run(&["status", "--moves", bad, "--json"]),
        run(&["perft", bad]),
        run(&["perft", "--suite", bad]),
        run_with(&["perft", "--suite", "-"], &suite),
        run_with(&["perft", "--suite", "-", "--json"], &suite),
        run(&["man", bad]),
        run(&[bad]),
    ];
    for run in runs {
        assert_ne!(run.code, 0);
        let shown = format!("{}{}", run.out, run.err);
        let acts = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
        assert!(!shown.contains(acts), "{shown:?}");
    }
}
