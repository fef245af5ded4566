//! A game of very many moves in a real terminal: opened, drawn, walked through and kept without a quadratic step.

#![cfg(unix)]

use std::fmt::Write;
use std::time::{Duration, Instant};

use crate::saves::Home;
use crate::support::size;
use crate::tui_saves::start;

/// Ten times what it may take: more than that is a hang.
const HANG: Duration = Duration::from_secs(20);

#[test]
fn it_is_drawn_walked_and_saved() {
    let plies = size("TABIYA_LONG_GAME", 4_000) / 4 * 4;
    let home = Home::new("long-game");
    let mut text = String::new();
    for ply in 0..plies {
        if ply % 2 == 0 {
            write!(text, "{}. ", ply / 2 + 1).expect("a string");
        }
        text += ["Nf3 ", "Nf6 ", "Ng1 ", "Ng8 "][ply % 4];
    }
    let path = home.path().join("long.pgn");
    std::fs::write(&path, text + "*\n").expect("written");
    let path = path.to_str().expect("plain letters");

    let begun = Instant::now();
    let mut screen = start(&home, &["review", path]);
    screen.wait_for("start · White to move");
    let drawn = begun.elapsed();

    let begun = Instant::now();
    screen.send("\u{1b}[F");
    screen.wait_for(&format!("{}…Ng8 · ", plies / 2));
    let walked = begun.elapsed();

    let begun = Instant::now();
    let copy = home.path().join("copy.pgn");
    screen.send(&format!(":pgn {}\r", copy.display()));
    screen.wait_for("Written to");
    let saved = begun.elapsed();
    screen.send(":q\r");
    assert!(screen.ends().success());
    assert!(std::fs::read_to_string(copy).is_ok_and(|text| text.len() > plies * 4));

    println!(
        "{plies} plies: drawn in {} ms, at its end in {} ms, saved in {} ms",
        drawn.as_millis(),
        walked.as_millis(),
        saved.as_millis()
    );
    assert!(drawn.max(walked).max(saved) < HANG);
}
