//! Everything that an earlier version has written still loads: saves, journals, trash, matches, reviews, settings,
//! names of keys and themes, and the folder of a server. Each version has a folder `tests/data/vX_Y`.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::saves::Home;
use crate::support::{Run, finished};

const VERSIONS: [&str; 2] = ["v0_1", "v0_2"];

fn data(version: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(version)
}

pub(crate) fn copy(from: &Path, to: &Path) {
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

/// A home as a version has left it.
fn home(version: &str, name: &str) -> Home {
    let home = Home::new(&format!("{version}-{name}"));
    copy(&data(version).join("data"), &home.path().join("data"));
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

/// A list in the folder of a version.
fn list(version: &str, name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(data(version).join(name)).expect("there");
    serde_json::from_str(&text).expect("JSON")
}

/// What a version said about its saves.
fn known(version: &str) -> Vec<Value> {
    list(version, "saves.json")
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
    for version in VERSIONS {
        let mut saves = listed(&home(version, "list"));
        if version == "v0_1" {
            // It named no openings.
            let openings = saves
                .iter_mut()
                .filter_map(|save| save.as_object_mut()?.remove("opening"))
                .count();
            assert!(openings > 0);
        }
        assert_eq!(saves, known(version), "{version}");
    }
}

#[test]
fn every_save_and_journal_is_resumed_or_asked_about() {
    for (version, resumed_and_named) in VERSIONS.into_iter().zip([(12, 3), (14, 2)]) {
        let (mut resumed, mut named) = (0, 0);
        for save in known(version) {
            let home = home(version, "resume");
            let name = save["name"].as_str().expect("a name");
            let fen = save["fen"].as_str().expect("a position");
            if let Some(engine) = engine(&home, name) {
                named += 1;
                let run = play(
                    &home,
                    &["play", "--line"],
                    &format!("review save {name}\ngoto end\nfen\n"),
                );
                assert!(run.fine().contains(fen), "{version}: {name}");
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
            assert_eq!(
                (run.code, &*run.err),
                (0, ""),
                "{version}: {name}: {}",
                run.out
            );
            assert!(run.out.contains(fen), "{version}: {name}: {}", run.out);
        }
        assert_eq!((resumed, named), resumed_and_named, "{version}");
    }
}

#[cfg(unix)]
#[test]
fn a_save_with_an_engine_and_options_loads_on_a_terminal_and_asks() {
    let home = home("v0_1", "asks");
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
    for version in VERSIONS {
        for (folder, begin, moves) in [("trash", "To be deleted", 1), ("damaged", "Foreign", 2)] {
            let home = home(version, folder);
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
}

#[test]
fn a_match_that_was_watched_is_read() {
    for (version, games) in VERSIONS.into_iter().zip([2, 1]) {
        let folder = data(version).join("data/tabiya/matches");
        let mut files = std::fs::read_dir(folder).expect("a folder");
        let path = files.next().expect("a match").expect("a file").path();
        let run = crate::support::run(&["pgn", "check", &path.display().to_string(), "--json"]);
        let checked = crate::support::json(run);
        assert_eq!(checked["games"], games, "{checked}");
        assert_eq!(checked["errors"], 0, "{checked}");
    }
}

#[test]
fn a_judgment_is_read_as_it_was_saved() {
    let home = home("v0_2", "judged");
    let run = play(
        &home,
        &["play", "--line"],
        "review save Judged copy\ngoto end\nprevious\neval\npgn\n",
    );
    let out = run.fine();
    for told in ["[WhiteAccuracy \"92\"]", "2... Ke7 $4", "[%eval #1,5]"] {
        assert!(out.contains(told), "{told}: {out}");
    }
}

/// It was killed while its journal was written into its PGN file, so three files have parts of it.
#[cfg(unix)]
#[test]
fn a_review_that_was_killed_is_offered_with_its_changes() {
    let home = home("v0_2", "review");
    let kept = home.path().join("kept.pgn");
    let mut screen = crate::tui_saves::start(&home, &[]);
    screen.wait_for("A review was cut off");
    screen.wait_for("Morphy");
    // Keys that come with the question are not meant for it.
    std::thread::sleep(std::time::Duration::from_millis(600));
    screen.send("o");
    screen.wait_for("not saved");
    screen.send(&format!(":pgn {}\r", kept.display()));
    screen.wait_for("Written to");
    screen.send(":q\r");
    assert!(screen.ends().success());
    let text = std::fs::read_to_string(kept).expect("it was written");
    for part in [
        "2. Nf3 $1 {A gambit is refused.}",
        "(2... d5 {Mine.})",
        "4. dxe5 1-0",
    ] {
        assert!(text.replace('\n', " ").contains(part), "{part}: {text}");
    }
}

/// Every link that a server of that version has given out leads to its game.
#[cfg(all(unix, feature = "serve"))]
#[test]
fn the_folder_of_a_server_is_served() {
    let home = home("v0_2", "serve");
    let served = crate::serve::Served::start(&home);
    let mut links = 0;
    for game in list("v0_2", "served.json") {
        let id = game["id"].as_str().expect("an ID");
        let fen = game["fen"].as_str().expect("a position");
        for (role, token) in game["links"].as_object().expect("links") {
            let token = token.as_str().expect("a token");
            let link = format!("http://{}/game/{id}#{token}", served.base);
            let mut child = home.start(&["play", "--json", "--join", &link]);
            let mut output = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
            let mut shown = String::new();
            while !shown.contains(fen) {
                let read = output.read_line(&mut shown).expect("text");
                assert_ne!(read, 0, "{id}, {role}: {shown}");
            }
            // It may have ended.
            let _ = child.kill();
            child.wait().expect("it ends");
            links += 1;
        }
    }
    assert_eq!(links, 12);
    let (code, said) = served.end("-TERM");
    assert_eq!(code, Some(0), "{said}");
    assert!(said.ends_with("tabiya: every game is on disk\n"), "{said}");
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
    for version in VERSIONS {
        for file in ["config/tabiya/config.toml", "config/by-hand.toml"] {
            let config = std::fs::read_to_string(data(version).join(file)).expect("there");
            let said = said_about(&format!("{version}-config"), &config);
            assert!(
                !said.contains("config.toml") && !said.contains("tabiya:"),
                "{version}/{file}: {said}"
            );
        }
    }
    for theme in ["wood", "sea", "forest", "night", "contrast", "terminal"] {
        let said = said_about("earlier-theme", &format!("theme = \"{theme}\"\n"));
        assert!(!said.contains("config.toml"), "{theme}: {said}");
    }
    // The same way of looking sees what is wrong.
    let said = said_about("earlier-wrong", "theme = \"mauve\"\n[keys]\nfly = \"p\"\n");
    assert!(
        said.contains("config.toml:1:") && said.contains("'fly'"),
        "{said}"
    );
}

#[test]
fn the_engines_of_the_settings_are_known() {
    for version in VERSIONS {
        let home = Home::new(&format!("{version}-engines"));
        let file = data(version).join("config/by-hand.toml");
        let config = std::fs::read_to_string(file).expect("there");
        crate::tui_saves::settle(&home, &config);
        let run = play(&home, &["engines", "--json"], "");
        let out = run.fine();
        assert!(
            out.contains("/opt/engines/mine") && out.contains("--quiet"),
            "{out}"
        );
        assert!(out.contains("gnuchess"), "{out}");
    }
}
