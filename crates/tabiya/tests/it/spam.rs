//! An engine that prints as fast as it can, beside somebody who plays: keys are answered.
//!
//! `TABIYA_SPAM_SECONDS` says how long it goes on. How soon they are answered and how many frames come is measured by
//! `examples/screen spam`; here only what means a hang fails.

#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use crate::screen::Screen;
use crate::sequences;

/// An answer that takes so long is none: forty times what a player may wait for it, because other tests run beside
/// this one and want the processor as well.
const HANG: Duration = Duration::from_secs(2);

fn seconds() -> u64 {
    let wanted = std::env::var("TABIYA_SPAM_SECONDS").ok();
    wanted.map_or(2, |text| {
        text.parse().expect("TABIYA_SPAM_SECONDS is a number")
    })
}

/// An engine that never stops to tell about its search.
fn spammer() -> String {
    let path = std::env::temp_dir().join(format!("tabiya-spam-{}.sh", std::process::id()));
    let script = "#!/bin/sh\nwhile read -r word rest; do case \"$word\" in\n\
        uci) echo 'id name spam'; echo uciok;;\n\
        isready) echo readyok;;\n\
        go) yes 'info depth 9 seldepth 12 score cp 20 nodes 123456 nps 999999 pv e7e5 g1f3' & spam=$!;;\n\
        stop) kill $spam; wait $spam 2>/dev/null; echo bestmove e7e5;;\n\
        quit) kill $spam; exit 0;;\nesac; done\nkill $spam\n";
    std::fs::write(&path, script).expect("a file");
    let mut permissions = std::fs::metadata(&path).expect("it is there").permissions();
    permissions.set_mode(0o755);
    std::fs::set_permissions(&path, permissions).expect("it is ours");
    path.to_str().expect("UTF-8").to_owned()
}

#[test]
fn keys_are_answered_while_an_engine_prints_without_end() {
    let mut screen = Screen::start(&["play", "--black", &format!("uci:{}", spammer())]);
    screen.wait_for("White to move · move 1");
    // The depth that the opponent has reached shows that it floods.
    screen.send(":set game.spoilers on\r");
    screen.send("e4\r");
    screen.wait_for("depth 9");
    let begun = Instant::now();
    let mut waits = Vec::new();
    let mut flipped = false;
    while begun.elapsed() < Duration::from_secs(seconds()) {
        flipped = !flipped;
        let sent = Instant::now();
        screen.send("v");
        // The board is turned around, so that the files are told from the other side.
        let files = if flipped { "h   g   f" } else { "a   b   c" };
        screen.wait(|shown| shown.contents().contains(files));
        waits.push(sent.elapsed());
    }
    waits.sort_unstable();
    let late = waits[waits.len() * 99 / 100];
    println!(
        "{} keys, p99 {late:?}, worst {:?}",
        waits.len(),
        waits[waits.len() - 1]
    );
    assert!(late < HANG, "p99 {late:?} of {}", waits.len());
    screen.send(":q\r");
    assert!(screen.ends().success());
    screen.wait_for_clean();
    sequences::check(&screen.written());
}
