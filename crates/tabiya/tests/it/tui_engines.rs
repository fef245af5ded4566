//! The options of a real engine, set on the settings screen in a real terminal.

#![cfg(unix)]

use crate::line_players::stockfish;
use crate::saves::Home;
use crate::tui_saves::{settle, start};

const DOWN: &str = "\x1b[B";
const UP: &str = "\x1b[A";

#[test]
#[ignore = "needs Stockfish"]
fn options_of_a_real_engine_are_set_on_the_screen() {
    let stockfish = stockfish();
    let home = Home::new("tui-engines");
    let path = stockfish.display();
    settle(
        &home,
        &format!("# My engines.\n[engines.fish]\npath = \"{path}\" # the real one\n"),
    );
    let mut screen = start(&home, &["play", "--black", "human"]);
    screen.wait_for("White to move");
    screen.send(":settings\r");
    screen.wait_for("theme");
    screen.send(UP);
    screen.wait_for("▸ engines");
    screen.send("\r");
    screen.wait_for("▸ fish");
    screen.send("\r");
    screen.wait_for("Debug Log File");
    screen.send(DOWN);
    screen.send(DOWN);
    screen.wait_for("▸ Hash");
    screen.send("99999999999\r");
    screen.wait_for("Hash must be a number from 1 to");
    screen.send("\x1b");
    screen.wait_for("‹ 16 ›");
    screen.send("64\r");
    screen.wait_for("‹ 64 ›");
    screen.send(DOWN);
    screen.wait_for("▸ Clear Hash");
    screen.send("\r");
    screen.wait_for("pressed at every start");
    screen.send(DOWN);
    screen.send(" ");
    screen.wait_for("‹ true ›");
    for title in ["─ Engines", "─ Settings"] {
        screen.send("\x1b");
        screen.wait_for(title);
    }
    screen.send("\x1b");
    screen.wait(|shown| !shown.contents().contains("─ Settings"));
    // The same program starts it with them.
    screen.send(":opponent uci fish\r");
    screen.wait_for("fish");
    screen.send("e4\r");
    screen.wait_for("White to move · move 2");
    screen.send(":q\r");
    assert!(screen.ends().success());
    let file = home.path().join("config/tabiya/config.toml");
    let text = std::fs::read_to_string(file).expect("there");
    assert!(
        text.starts_with("# My engines.\n") && text.contains("# the real one"),
        "{text}"
    );
    for option in ["Hash = 64", "\"Clear Hash\" = true", "Ponder = true"] {
        assert!(text.contains(option), "{option}: {text}");
    }
}
