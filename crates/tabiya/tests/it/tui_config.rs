//! Every key of `config.toml` in the real program: each does what docs/config.md says, and another value does something
//! else.

#![cfg(unix)]

use std::collections::BTreeSet;

use tabiya_openings::BookEntry;
use tabiya_rules::Position;

use crate::saves::Home;
use crate::tui::Screen;
use crate::tui_saves::{settle, start};

/// A game with these settings.
fn play(name: &str, settings: &str) -> (Home, Screen) {
    let home = Home::new(name);
    settle(&home, settings);
    let screen = start(&home, &["play", "--black", "human"]);
    screen.wait_for("White to move");
    (home, screen)
}

fn leave(mut screen: Screen) {
    screen.send(":q\r");
    assert!(screen.ends().success());
}

/// The colors on the screen, once it is drawn.
fn colors(name: &str, settings: &str) -> BTreeSet<String> {
    let (_home, screen) = play(name, settings);
    let mut found = BTreeSet::new();
    screen.wait_for("? help");
    screen.look(|shown| {
        for row in 0..24 {
            for column in 0..80 {
                let cell = shown.cell(row, column).expect("a cell");
                found.insert(format!("{:?}", cell.bgcolor()));
                found.insert(format!("{:?}", cell.fgcolor()));
            }
        }
    });
    leave(screen);
    found
}

#[test]
fn theme() {
    let [wood, night] = ["wood", "night"].map(|theme| {
        let settings = format!("theme = \"{theme}\"\ncolors = \"truecolor\"\n");
        colors("config-theme", &settings)
    });
    assert_ne!(wood, night);
}

#[test]
fn colors_of_the_terminal() {
    let kinds = |wanted: &str| colors("config-colors", &format!("colors = \"{wanted}\"\n"));
    assert_eq!(kinds("none"), BTreeSet::from(["Default".to_owned()]));
    let sixteen = kinds("16");
    let indexed = |color: &String| {
        let number = color.strip_prefix("Idx(")?.strip_suffix(')')?;
        number.parse::<u16>().ok()
    };
    assert!(sixteen.iter().filter_map(indexed).all(|number| number < 16));
    assert!(sixteen.iter().any(|color| indexed(color).is_some()));
    let many = kinds("256");
    assert!(many.iter().filter_map(indexed).any(|number| number >= 16));
    assert!(!many.iter().any(|color| color.starts_with("Rgb")));
    let all = kinds("truecolor");
    assert!(all.iter().any(|color| color.starts_with("Rgb")));
}

#[test]
fn pieces() {
    let (_home, screen) = play("config-letters", "pieces = \"letters\"\n");
    assert!(!screen.shown().contains('♜'), "{}", screen.shown());
    leave(screen);
    let (_home, screen) = play("config-figures", "pieces = \"figures\"\n");
    screen.wait_for("♜");
    leave(screen);
}

#[test]
fn mouse() {
    let (_home, screen) = play("config-mouse", "mouse = true\n");
    screen.wait(|shown| shown.mouse_protocol_mode() != vt100::MouseProtocolMode::None);
    leave(screen);
    let (_home, screen) = play("config-no-mouse", "mouse = false\n");
    screen.wait_for("? help");
    screen.look(|shown| {
        assert_eq!(shown.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
    });
    leave(screen);
}

#[test]
fn autosave() {
    for (value, kept) in [("true", true), ("false", false)] {
        let (home, mut screen) = play("config-autosave", &format!("autosave = {value}\n"));
        screen.send("e4\r");
        screen.wait_for("played e4.");
        if kept {
            leave(screen);
        } else {
            screen.send(":q\r");
            screen.wait_for("The game is not saved. Leave any");
            screen.send("y");
            assert!(screen.ends().success());
        }
        let saves = home.path().join("data/tabiya/saves");
        assert_eq!(saves.exists(), kept, "autosave = {value}");
    }
}

#[test]
fn game_clock_and_game_opponent() {
    let (_home, screen) = play("config-clock", "[game]\nclock = \"7+2\"\n");
    screen.wait_for("7+2");
    leave(screen);
    let home = Home::new("config-opponent");
    settle(&home, "name = \"none\"\n[game]\nopponent = \"bot:1\"\n");
    let mut screen = start(&home, &[]);
    screen.wait_for("Play against the computer");
    screen.send("\r");
    screen.wait_for("Bot 1");
    leave(screen);
}

#[test]
fn game_book() {
    let home = Home::new("config-book");
    let path = home.path().join("rare.bin");
    let start_position = Position::start();
    let after = start_position.play_unchecked(start_position.parse_san("e4").expect("a move"));
    // No bot would find it by itself.
    let rare = BookEntry::new(&after, after.parse_san("Na6").expect("a move"), 1);
    tabiya_openings::write([rare], std::fs::File::create(&path).expect("a file")).expect("a book");
    let book = path.display();
    settle(
        &home,
        &format!("name = \"none\"\n[game]\nbook = \"{book}\"\n"),
    );
    let mut screen = start(&home, &["play", "--black", "bot:5"]);
    screen.wait_for("White to move");
    screen.send("e4\r");
    screen.wait_for("Na6");
    // Another book is opened when it is set, and one that is not there is not.
    screen.send(":set game.book /no/such.bin\r");
    screen.wait_for("no such file");
    screen.send(":set game.book none\r");
    screen.wait_for("game.book is none");
    leave(screen);
    settle(&home, "[game]\nbook = \"/no/such.bin\"\n");
    let mut screen = start(&home, &["play", "--black", "bot:5"]);
    screen.wait_for("Some settings cannot be used");
    screen.wait_for("/no/such.bin");
    screen.send("\r");
    leave(screen);
}

#[test]
fn game_draws() {
    for (value, ends) in [("claim", false), ("auto", true), ("automatic", true)] {
        let settings = format!("[game]\ndraws = \"{value}\"\n");
        let (_home, mut screen) = play("config-draws", &settings);
        for text in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"] {
            screen.send(&format!("{text}\r"));
        }
        screen.wait_for(if ends { "Rematch" } else { "claim draw" });
        if ends {
            // Look at the board.
            screen.send("l");
        }
        leave(screen);
    }
}

#[test]
fn keys_map_and_single_keys() {
    // Ctrl-R plays again what was taken back, where the keys are those of vim.
    let (_home, mut screen) = play("config-vim", "[keys]\nmap = \"vim\"\nundo = \"Z\"\n");
    screen.send("e4\r");
    screen.wait_for("Black to move");
    screen.send("Z");
    screen.wait_for("White to move");
    screen.send("\u{12}");
    screen.wait_for("Black to move");
    leave(screen);
}

#[test]
fn engines() {
    let home = Home::new("config-engines");
    let program = env!("CARGO_BIN_EXE_tabiya");
    settle(
        &home,
        &format!(
            "name = \"none\"\n[engines.mine]\npath = \"{program}\"\nargs = [\"uci\"]\noptions = {{ Hash = 2 }}\n"
        ),
    );
    let mut screen = start(&home, &["play", "--black", "uci:mine"]);
    screen.wait_for("White to move");
    screen.send("e4\r");
    screen.wait_for("Black played");
    leave(screen);
}

/// The name is asked for before the first game against an engine, and never again.
#[test]
fn name() {
    let home = Home::new("config-name");
    settle(&home, "theme = \"sea\"\n");
    let mut screen = start(&home, &["play"]);
    screen.wait_for("Your name, as your games will show it");
    screen.send("Anna\r");
    screen.wait_for("○ Anna");
    // Plain `play` is a game against the bot that fits.
    screen.wait_for("Game vs Bot 3");
    screen.send("e4\r");
    screen.wait_for("White to move · move 2");
    leave(screen);
    let mut screen = start(&home, &["play", "--white", "bot:1"]);
    screen.wait_for("● Anna");
    // The message about the bot's move would take the place of an answer.
    screen.wait_for("Black to move · move 1");
    screen.send(":set sound bell\r");
    screen.wait_for("sound is bell");
    screen.send(":set board.coordinates off\r");
    screen.wait_for("board.coordinates is off");
    screen.look(|shown| assert!(!shown.contents().contains(" a   b   c ")));
    screen.send("e5\r");
    screen.wait_for("Black to move · move 2");
    assert!(screen.written().contains(&7), "no bell");
    leave(screen);
}
