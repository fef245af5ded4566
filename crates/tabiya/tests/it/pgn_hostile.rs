//! `tabiya pgn` on files that want to exhaust or mislead it, and on outputs that close.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use crate::pgn_support::{GAMES, file, run_bytes};
use crate::support::{run_with, spawn};

/// So long only a hang takes: more than any of these files can need, unoptimized and on a busy machine.
const PATIENCE: Duration = Duration::from_secs(180);

/// Runs `check` with one thread and with two, and returns the errors and the last line.
fn check(input: &[u8]) -> (Vec<String>, String) {
    let begun = Instant::now();
    let (out, err, code) = run_bytes(&["pgn", "check", "--threads", "1"], input);
    let (two, _, _) = run_bytes(&["pgn", "check", "--threads", "2"], input);
    assert!(out == two);
    assert!(begun.elapsed() < PATIENCE, "{:?}", begun.elapsed());
    assert_eq!(err, "");
    let out = String::from_utf8(out).expect("stdout is UTF-8");
    let mut lines: Vec<String> = out.lines().map(str::to_owned).collect();
    let last = lines.pop().expect("a last line");
    // What only contradicts itself is counted behind the errors.
    let last = last.split(", ").take(3).collect::<Vec<_>>().join(", ");
    assert_eq!(code, i32::from(!lines.is_empty()));
    assert!(lines.iter().all(|line| line.len() < 1_000));
    (lines, last)
}

/// Some game, hostile things, and a game that must not suffer from them.
fn between(text: &[u8]) -> Vec<u8> {
    let next = b"\n\n[Event \"next\"]\n\n1. e4 e5 1/2-1/2\n";
    [b"1. c4 *\n\n", text, next].concat()
}

#[test]
fn ten_thousand_nested_parentheses() {
    for end in ["", &" )".repeat(10_000)] {
        let text = format!(
            "[Event \"deep\"]\n\n1. e4 {}{end}",
            "(1. d4 (1. e4 ".repeat(5_000)
        );
        let (errors, last) = check(&between(text.as_bytes()));
        assert!(errors[0].contains("more than 1000 deep"), "{}", errors[0]);
        assert_eq!(last, format!("3 games, 4 moves, {} errors", errors.len()));
    }
}

#[test]
fn a_line_of_a_hundred_megabytes() {
    let mut text = b"[Event \"long\"]\n\n".to_vec();
    while text.len() < 100_000_000 {
        text.extend_from_slice(b"1. Nf3 Nf6 2. Ng1 Ng8 ");
    }
    let (errors, last) = check(&between(&text));
    assert!(errors.is_empty(), "{errors:?}");
    assert!(last.starts_with("3 games, "), "{last}");
    let junk = b"x".repeat(100_000_000);
    let (errors, last) = check(&between(&junk));
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(last, "2 games, 3 moves, 0 errors");
    let comment = [
        b"1. e4 {".to_vec(),
        b"x".repeat(100_000_000),
        b"} e5 *".to_vec(),
    ]
    .concat();
    let (errors, last) = check(&between(&comment));
    assert!(errors[0].contains("is longer than"), "{}", errors[0]);
    assert_eq!(last, "3 games, 5 moves, 1 errors");
}

#[test]
fn a_tag_without_an_end() {
    for value in [
        "never ends".to_owned(),
        "x".repeat(10_000_000),
        "a\nb\n".repeat(100_000),
    ] {
        let text = format!("[Event \"deep\"]\n[White \"{value}");
        let (errors, last) = check(&between(text.as_bytes()));
        assert!(!errors.is_empty());
        assert!(errors[0].starts_with("stdin:4:"), "{}", errors[0]);
        assert!(last.starts_with("3 games, "), "{last}");
    }
}

#[test]
fn zero_bytes_and_a_game_cut_off() {
    let (errors, last) = check(&between(&[0; 1_000_000]));
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(last, "2 games, 3 moves, 0 errors");
    let (errors, last) = check(b"1. e4 e5 *\n\n[Event \"cut\"]\n\n1. e4 {clo");
    assert!(
        errors[0].starts_with("stdin:5:7: game 2: The comment"),
        "{}",
        errors[0]
    );
    assert_eq!(
        (errors.len(), last.as_str()),
        (1, "2 games, 3 moves, 1 errors")
    );
    let (errors, last) = check(b"[Event \"cut\"]\n[White \"A");
    assert_eq!(
        (errors.len(), last.as_str()),
        (1, "1 games, 0 moves, 1 errors")
    );
}

#[test]
fn a_game_too_long_to_be_copied_is_left_out_and_named() {
    let text = between(&b"{comment} ".repeat(1_000_000));
    for threads in ["1", "2"] {
        let (out, err, code) = run_bytes(&["pgn", "filter", "--threads", threads], &text);
        let out = String::from_utf8(out).expect("stdout is UTF-8");
        assert_eq!(out, "1. c4 *\n\n[Event \"next\"]\n\n1. e4 e5 1/2-1/2\n\n");
        assert!(
            err.starts_with("stdin: the game that begins after 9 bytes"),
            "{err}"
        );
        assert_eq!(code, 1);
    }
}

#[test]
fn nothing_from_outside_acts_on_the_terminal() {
    let bad = "\u{1b}[31m\u{9b}2J\u{202e}\u{7}x";
    let text = format!(
        "[Event \"{bad}\"]\n[White \"{bad}\"]\n[FEN \"{bad}\"]\n[{bad}]\n\n{bad} 1. {bad} {{{bad}}} *\n"
    );
    let name = file(&format!("{bad}.pgn").replace('\u{7}', ""), text.as_bytes());
    for flags in [
        &["check"][..],
        &["check", "--json"],
        &["stats"],
        &["stats", "--json"],
        &["fens"],
        &["fens", "--json", "--last"],
        &["filter", "--plies", "9"],
        &["check", bad],
        &["filter", "--eco", bad],
        &["filter", "--material", bad],
    ] {
        let found = run_with(&[&["pgn"], flags, &[&name]].concat(), "");
        let shown = format!("{}{}", found.out, found.err);
        let acts = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
        assert!(!shown.contains(acts), "{flags:?} {shown:?}");
    }
}

#[test]
fn a_closed_stdout_ends_every_command_quietly() {
    let name = file("closed.pgn", GAMES.repeat(20_000).as_bytes());
    for command in ["check", "stats", "filter", "fens"] {
        for threads in ["1", "2"] {
            let mut child = spawn(&["pgn", command, &name, "--threads", threads]);
            let mut stdout = child.stdout.take().expect("stdout is a pipe");
            let mut some = [0; 64];
            if command != "stats" {
                stdout.read_exact(&mut some).expect("some output");
            }
            drop(stdout);
            let ended = child.wait_with_output().expect("the child ends");
            assert_eq!(ended.status.code(), Some(0), "{command} {threads}");
            assert_eq!(
                String::from_utf8_lossy(&ended.stderr),
                "",
                "{command} {threads}"
            );
        }
    }
}

#[test]
fn a_closed_stdout_ends_it_although_its_input_stays_open() {
    let mut child = spawn(&["pgn", "fens", "--threads", "2"]);
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    drop(child.stdout.take());
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(GAMES.repeat(20_000).as_bytes());
        stdin
    });
    let begun = Instant::now();
    while child.try_wait().expect("the child can be asked").is_none() {
        assert!(begun.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(writer.join());
}
