//! Text from outside that tries to act on the terminal: through files, flags, keys, pastes and engines, it reaches the
//! screen only as text.

#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use crate::screen::Screen;
use crate::sequences;
use crate::support::run;

/// A title, a cleared screen in both forms, a mouse mode, a bell, a turned order, an answerback.
const EVIL: &str =
    "x\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}2J\u{1b}[?1003h\u{7}\u{202e}y\u{5}\u{7f}\u{1b}c\u{200b}z";

fn folder(name: &str) -> PathBuf {
    let folder = format!("tabiya-injection-{name}-{}", std::process::id());
    let folder = std::env::temp_dir().join(folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// A file of games whose name, tags and comments are all evil.
fn evil_file(test: &str) -> String {
    let path = folder(&format!("file-{test}")).join(format!("{}.pgn", EVIL.replace('/', "")));
    let game = format!(
        "[Event \"{EVIL}\"]\n[White \"{EVIL}\"]\n[Black \"b{EVIL}\"]\n[Date \"{EVIL}\"]\n\n\
         {{before {EVIL}}} 1. e4 {{{EVIL}}} e5 $6 (1... c5 {{{EVIL}}}) *\n\n1. {EVIL} *\n"
    );
    std::fs::write(&path, game).expect("a file");
    path.to_str().expect("UTF-8").to_owned()
}

/// An engine that says evil things wherever it may say anything.
fn evil_engine(test: &str) -> String {
    let path = folder(&format!("engine-{test}")).join("engine.sh");
    let script = format!(
        "#!/bin/sh\nwhile read -r word rest; do case \"$word\" in\n\
         uci) printf '%s\\n' 'id name {EVIL}' 'id author {EVIL}' 'option name {EVIL} type string default {EVIL}' uciok;;\n\
         isready) printf '%s\\n' 'info string {EVIL}' readyok;;\n\
         go) printf '%s\\n' 'info depth 3 score cp 20 pv e7e5 string {EVIL}' 'info string {EVIL}' '{EVIL}' \
         'bestmove {EVIL}'; printf '%s\\n' '{EVIL}' >&2;;\n\
         quit) exit 0;;\nesac; done\n"
    );
    std::fs::write(&path, script).expect("a file");
    let mut permissions = std::fs::metadata(&path).expect("it is there").permissions();
    permissions.set_mode(0o755);
    std::fs::set_permissions(&path, permissions).expect("it is ours");
    path.to_str().expect("UTF-8").to_owned()
}

#[track_caller]
fn leave(mut screen: Screen) {
    screen.send("\u{3}");
    screen.send("\u{3}");
    screen.send("\u{3}");
    screen.ends();
    screen.wait_for_clean();
    sequences::check(&screen.written());
}

#[test]
fn files() {
    let file = evil_file("files");
    let mut screen = Screen::start(&["review", &file]);
    // The name of the file is there at once, its games a moment later.
    screen.wait_for("▸");
    screen.send("\r");
    screen.wait_for("Review");
    screen.send(".....,");
    screen.wait_for("e4");
    screen.send(":pgn\r");
    screen.wait_for("[Event");
    leave(screen);
}

#[test]
fn games_that_are_analysed() {
    let file = evil_file("analysed");
    let mut screen = Screen::start(&["analyse", &file, "--nodes", "100"]);
    screen.ends();
    screen.wait_for("c5 {x");
    sequences::check(&screen.written());
    // In a pipe the text is what the file has, for other programs.
    let piped = run(&["analyse", &file, "--nodes", "100"]).out;
    assert!(piped.contains('\u{202e}'), "{piped}");
}

#[test]
fn keys_and_pastes() {
    let mut screen = Screen::start(&["play", "--black", "human"]);
    screen.wait_for("White to move · move 1");
    screen.send(&format!("\u{1b}[200~{EVIL}\u{1b}[201~\r"));
    screen.wait_for("Invalid move format");
    screen.send("\u{3}");
    screen.send(&format!(":save \u{1b}[200~{EVIL}\u{1b}[201~\r"));
    screen.wait_for("cannot have '?' in it");
    screen.send("\u{3}");
    screen.send(&format!(":fen \u{1b}[200~{EVIL}\u{1b}[201~\r"));
    screen.wait_for("Bad FEN");
    screen.send("\u{3}");
    screen.send(&format!("?\u{1b}[200~{EVIL}\u{1b}[201~"));
    screen.wait_for("Nothing fits.");
    leave(screen);
}

#[test]
fn engines() {
    let engine = format!("uci:{}", evil_engine("engines"));
    let mut screen = Screen::start(&["play", "--black", &engine]);
    screen.wait_for("White to move · move 1");
    screen.send("e4\r");
    screen.wait_for("yourself, or enter :opponent");
    screen.send(&format!(":lines {}\r", engine.replacen(':', " ", 1)));
    screen.wait_for("no option named MultiPV");
    leave(screen);
}

/// The commands for scripts print what they were given, too.
#[test]
fn commands() {
    let file = evil_file("commands");
    let engine = evil_engine("commands");
    for arguments in [
        &["status", EVIL][..],
        &["moves", EVIL],
        &["show", EVIL],
        &["status", "--moves", EVIL],
        &["play", "--black", "human", "--fen", EVIL],
        &["play", "--black", "human", "--clock", EVIL],
        &["play", "--black", EVIL],
        &["pgn", "check", &file],
        &["pgn", "stats", &file],
        &["pgn", "check", EVIL],
        &["perft", "--suite", EVIL],
        &["engines", "check", &engine],
        &["analyse", EVIL],
        &[EVIL],
    ] {
        let run = run(arguments);
        sequences::check(run.out.as_bytes());
        sequences::check(run.err.as_bytes());
    }
}
