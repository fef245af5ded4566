//! Terminals that can little: none at all, a dumb one, one without colors, without UTF-8, with 16 colors, or at the end of
//! a slow line. The program is usable there, or says clearly why not.

#![cfg(unix)]

use std::io::Read;
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, native_pty_system};

use crate::screen::{PATIENCE, Screen, size};
use crate::support::{run, run_with};

#[test]
fn without_a_terminal_the_line_mode_plays() {
    let out = run_with(&[], "e4\nquit\n").fine();
    assert!(out.contains("Black's turn. Enter move: "), "{out}");
    assert!(!out.contains('\u{1b}'), "{out:?}");
    let refused = run(&["review", "/dev/null"]);
    assert_eq!(refused.code, 3);
    assert!(refused.err.contains("needs a terminal"), "{}", refused.err);
}

#[test]
fn a_dumb_terminal_gets_the_line_mode() {
    let screen = Screen::start_with(&["play", "--black", "human"], &[("TERM", "dumb")]);
    screen.wait_for("White's turn. Enter move:");
    assert!(
        !screen
            .parser
            .lock()
            .expect("no panic")
            .screen()
            .alternate_screen()
    );
}

/// Serial lines and some containers report neither columns nor rows.
#[test]
fn a_terminal_of_unknown_size_is_taken_for_the_usual_one() {
    let unknown = |screen: &Screen| screen.master.resize(size(0, 0)).expect("a new size");
    let mut screen = Screen::start(&["play", "--black", "human"]);
    screen.wait_for("White to move");
    unknown(&screen);
    screen.send("e4\r");
    screen.wait_for("White played e4.");
    screen.send(":q\r");
    assert!(screen.ends().success());
    let mut screen = Screen::start(&["match", "bot:1", "bot:2", "--games", "1000000"]);
    unknown(&screen);
    screen.wait_for("of 1000000 games: ");
    screen.signal("TERM");
    screen.ends();
}

fn colors(screen: &Screen) -> Vec<vt100::Color> {
    let parser = screen.parser.lock().expect("no panic");
    let shown = parser.screen();
    let mut found = Vec::new();
    for row in 0..24 {
        for column in 0..80 {
            let cell = shown.cell(row, column).expect("a cell");
            for color in [cell.fgcolor(), cell.bgcolor()] {
                if !found.contains(&color) {
                    found.push(color);
                }
            }
        }
    }
    found
}

#[test]
fn no_color_means_none_and_everything_has_a_shape() {
    let mut screen = Screen::start_with(&["play", "--black", "human"], &[("NO_COLOR", "1")]);
    screen.wait_for("White to move · move 1");
    screen.send("e4\r");
    screen.wait_for("White played e4.");
    assert_eq!(colors(&screen), [vt100::Color::Default]);
    assert!(screen.shown().contains('░'), "{}", screen.shown());
    screen.send(":q\r");
    assert!(screen.ends().success());
}

#[test]
fn sixteen_colors_are_the_terminals_own() {
    for (term, color) in [("xterm", "auto"), ("xterm-256color", "16")] {
        let mut screen = Screen::start_with(
            &["play", "--black", "human", "--color", color],
            &[("TERM", term)],
        );
        screen.wait_for("White to move · move 1");
        for color in colors(&screen) {
            let own = matches!(color, vt100::Color::Default | vt100::Color::Idx(0..16));
            assert!(own, "{term}: {color:?}");
        }
        screen.send(":q\r");
        assert!(screen.ends().success());
    }
}

/// Where the locale has no UTF-8, pieces are letters and nothing else leaves ASCII.
#[test]
fn a_locale_without_utf_8() {
    let mut screen = Screen::start_with(&["play", "--black", "human"], &[("LC_ALL", "C")]);
    screen.wait_for("White to move . move 1");
    screen.send("e4\r");
    screen.wait_for("White played e4.");
    screen.send("x");
    screen.wait_for("This game");
    screen.send("h");
    screen.wait_for("Leave");
    screen.send(":q\r");
    assert!(screen.ends().success());
    screen.wait_for_clean();
    assert!(screen.written().is_ascii());
}

/// At 9,600 baud, about 960 bytes a second, a game can be begun and a move is seen.
#[test]
fn a_slow_line() {
    let pair = native_pty_system()
        .openpty(size(80, 24))
        .expect("a pseudo-terminal");
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_tabiya"));
    command.args(["play", "--black", "human", "--color", "16"]);
    command.env("TERM", "vt100");
    for (name, value) in crate::support::no_home() {
        command.env(name, value);
    }
    let mut child = pair.slave.spawn_command(command).expect("it starts");
    let mut output = pair.master.try_clone_reader().expect("the other end");
    let mut keys = pair.master.take_writer().expect("the other end");
    let some = |number| std::num::NonZero::new(number).expect("not zero");
    let mut parser = vt100::Parser::new(some(24), some(80), 0);
    let begun = Instant::now();
    let mut bytes = [0; 96];
    let mut typed = false;
    loop {
        assert!(begun.elapsed() < PATIENCE, "{}", parser.screen().contents());
        let count = output.read(&mut bytes).expect("it writes");
        parser.process(&bytes[..count]);
        thread::sleep(Duration::from_millis(count as u64 * 1000 / 960));
        let shown = parser.screen().contents();
        if !typed && shown.contains("help") {
            keys.write_all(b"e4\r").expect("the terminal takes keys");
            typed = true;
        }
        if typed && shown.contains("White played e4.") {
            break;
        }
    }
    println!("a move was seen after {:?}", begun.elapsed());
    drop((output, keys, pair));
    child.wait().expect("it ends");
}
