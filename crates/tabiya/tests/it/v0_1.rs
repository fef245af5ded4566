//! Everything that version 0.1 has written still loads: saves, journals, trash, matches, settings, names of keys and
//! themes.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::saves::Home;
use crate::support::{Run, finished};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/v0_1")
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            std::fs::copy(&path, &target).expect("copied");
        }
    }
}

/// A home as version 0.1 has left it.
fn home(name: &str) -> Home {
    let home = Home::new(name);
    copy(&data().join("data"), &home.path().join("data"));
    home
}

fn play(home: &Home, arguments: &[&str], lines: &str) -> Run {
    use std::io::Write;
    let mut child = home.start(arguments);
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    // A program that ends early does not read on.
    let _ = stdin.write_all(lines.as_bytes());
    drop(stdin);
    finished(&child.wait_with_output().expect("the child ends"))
}

/// What version 0.1 said about its saves.
fn known() -> Vec<Value> {
    let text = std::fs::read_to_string(data().join("saves.json")).expect("there");
    serde_json::from_str(&text).expect("JSON")
}

/// What this version says about them.
fn listed(home: &Home) -> Vec<Value> {
    let out = play(home, &["play", "--json"], "saves\n").fine();
    let mut objects = out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let answer = objects
        .find(|object| object["command"] == "saves")
        .expect("an answer");
    let mut saves = answer["saves"].as_array().expect("a list").clone();
    saves.sort_by_key(|save| save["name"].as_str().unwrap_or_default().to_owned());
    saves
}

/// The player of Black as a save names it.
fn engine(home: &Home, name: &str) -> Option<String> {
    let path = home.path().join(format!("data/tabiya/saves/{name}.pgn"));
    let text = std::fs::read_to_string(path).ok()?;
    let (_, rest) = text.split_once("[BlackPlayer \"uci:")?;
    rest.split_once('"').map(|(engine, _)| engine.to_owned())
}

#[test]
fn every_save_and_journal_is_listed_as_it_was() {
    let mut saves = listed(&home("v01-list"));
    // Version 0.1 named no openings.
    let openings = saves
        .iter_mut()
        .filter_map(|save| save.as_object_mut()?.remove("opening"))
        .count();
    assert!(openings > 0);
    assert_eq!(saves, known());
}

#[test]
fn every_save_and_journal_is_resumed_or_asked_about() {
    let (mut resumed, mut named) = (0, 0);
    for save in known() {
        let home = home("v01-resume");
        let name = save["name"].as_str().expect("a name");
        let fen = save["fen"].as_str().expect("a position");
        if let Some(engine) = engine(&home, name) {
            named += 1;
            let run = play(
                &home,
                &["play", "--line"],
                &format!("review save {name}\ngoto end\nfen\n"),
            );
            assert!(run.fine().contains(fen), "{name}");
            if engine.starts_with("/opt/engines/") {
                let run = play(&home, &["play", "--resume", name], "");
                assert_eq!(run.code, 3, "{run:?}");
                assert!(run.err.contains(&engine), "{run:?}");
                assert!(
                    run.err.contains("--allow-engine '/opt/engines/mine'"),
                    "{run:?}"
                );
            }
            continue;
        }
        resumed += 1;
        let run = play(&home, &["play", "--json", "--resume", name], "fen\nquit\n");
        assert_eq!((run.code, &*run.err), (0, ""), "{name}: {}", run.out);
        assert!(run.out.contains(fen), "{name}: {}", run.out);
    }
    assert_eq!((resumed, named), (12, 3));
}

#[cfg(unix)]
#[test]
fn a_save_with_an_engine_and_options_loads_on_a_terminal_and_asks() {
    let home = home("v01-asks");
    let mut screen = crate::tui_saves::start(&home, &["play", "--resume", "Engine by path"]);
    screen.wait_for("Start it");
    screen.wait_for("/opt/engines/mine?Hash=16&Skill");
    screen.send("\u{1b}");
    screen.wait_for("A person plays Black.");
    // Its clocks stand until they are let run.
    screen.wait_for("Paused");
    screen.send("p");
    screen.wait_for("White to move · move 2");
    screen.send("c4\r");
    screen.wait_for("played c4.");
    screen.send(":q\r");
    assert!(screen.ends().success());
}

#[test]
fn what_is_in_the_trash_or_set_aside_can_be_put_back() {
    for (folder, begin, moves) in [("trash", "To be deleted", 1), ("damaged", "Foreign", 2)] {
        let home = home(&format!("v01-{folder}"));
        let folder = home.path().join("data/tabiya").join(folder);
        let files = std::fs::read_dir(folder).expect("a folder");
        let mut paths = files.map(|file| file.expect("a file").path());
        let is_it = |path: &PathBuf| path.display().to_string().contains(begin);
        let path = paths.find(is_it).expect("it is there");
        let back = home.path().join("data/tabiya/saves/back.pgn");
        std::fs::rename(path, back).expect("moved");
        let listed = listed(&home);
        let save = listed.iter().find(|save| save["name"] == "back");
        assert_eq!(save.expect("it is listed")["moves"], moves, "{listed:?}");
        let run = play(&home, &["play", "--resume", "back"], "quit\n");
        assert_eq!((run.code, &*run.err), (0, ""), "{run:?}");
    }
}

#[test]
fn a_match_that_was_watched_is_read() {
    let folder = data().join("data/tabiya/matches");
    let mut files = std::fs::read_dir(folder).expect("a folder");
    let path = files.next().expect("a match").expect("a file").path();
    let run = crate::support::run(&["pgn", "check", &path.display().to_string(), "--json"]);
    let checked = crate::support::json(run);
    assert_eq!(checked["games"], 2, "{checked}");
    assert_eq!(checked["errors"], 0, "{checked}");
}

/// Starts the program with settings, and returns what it says on a terminal before the first prompt.
#[cfg(unix)]
fn said_about(name: &str, config: &str) -> String {
    let home = Home::new(name);
    crate::tui_saves::settle(&home, config);
    let mut screen = crate::tui_saves::start(&home, &["play", "--line"]);
    screen.wait_for("White's turn. Enter move:");
    let shown = screen.shown();
    screen.send("quit\r");
    screen.ends();
    shown
}

#[cfg(unix)]
#[test]
fn settings_keys_and_themes_are_understood() {
    for file in ["config/tabiya/config.toml", "config/by-hand.toml"] {
        let config = std::fs::read_to_string(data().join(file)).expect("there");
        let said = said_about("v01-config", &config);
        assert!(
            !said.contains("config.toml") && !said.contains("tabiya:"),
            "{file}: {said}"
        );
    }
    for theme in ["wood", "sea", "forest", "night", "contrast", "terminal"] {
        let said = said_about("v01-theme", &format!("theme = \"{theme}\"\n"));
        assert!(!said.contains("config.toml"), "{theme}: {said}");
    }
    // The same way of looking sees what is wrong.
    let said = said_about("v01-wrong", "theme = \"mauve\"\n[keys]\nfly = \"p\"\n");
    assert!(
        said.contains("config.toml:1:") && said.contains("'fly'"),
        "{said}"
    );
}

#[test]
fn the_engines_of_the_settings_are_known() {
    let home = Home::new("v01-engines");
    let config = std::fs::read_to_string(data().join("config/by-hand.toml")).expect("there");
    crate::tui_saves::settle(&home, &config);
    let run = play(&home, &["engines", "--json"], "");
    let out = run.fine();
    assert!(
        out.contains("/opt/engines/mine") && out.contains("--quiet"),
        "{out}"
    );
    assert!(out.contains("gnuchess"), "{out}");
}
