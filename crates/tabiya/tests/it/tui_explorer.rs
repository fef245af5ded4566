//! The explorer in the real program: databases beside the board and in the line mode, and what happens where one is
//! damaged.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::line_support::{run_lines, said_with};
use crate::pgn_support::file;
use crate::support::run;

/// A database of a few games.
pub(crate) fn database(name: &str) -> String {
    let game = |white: &str, year: u16, moves: &str, result: &str| {
        format!(
            "[White \"{white}\"]\n[Black \"Zed\"]\n[Date \"{year}.01.01\"]\n[WhiteElo \"2500\"]\n[Result \
             \"{result}\"]\n\n{moves} {result}\n\n"
        )
    };
    let games = [
        game("Ann", 2019, "1. e4 e5 2. Nf3 Nc6 3. Bb5", "1-0"),
        game("Ben", 2020, "1. e4 e5 2. Nf3 Nc6 3. Bc4", "1/2-1/2"),
        game("Cid", 2021, "1. e4 c5 2. Nf3", "0-1"),
        game("Dot", 2022, "1. d4 d5", "0-1"),
    ];
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    let path = path.to_str().expect("a path in UTF-8").to_owned();
    let games = file(&format!("{name}.pgn"), games.concat().as_bytes());
    run(&["db", "build", &path, &games]).fine();
    path
}

#[test]
fn the_line_mode_says_what_was_played() {
    let db = database("line.db");
    let said = said_with(
        &["play", "--db", &db],
        &["e4", "explorer", "e5", "explorer ann white"],
    );
    let expected = [
        "B00 King's Pawn Game",
        "3 games  White 33 %, draws 33 %, Black 33 %",
        "",
        "e5              2  66.7 %  ##########==========   50  50   0  2500  2020",
        "c5              1  33.3 %  ....................    0   0 100  2500  2021",
    ];
    assert_eq!(said[..expected.len()], expected, "{said:?}");
    assert!(
        said.iter()
            .any(|line| line == "1 game  White 100 %, draws 0 %, Black 0 %"),
        "{said:?}"
    );
    let none = said_with(&["play", "--db", &db], &["a4", "explorer"]);
    assert_eq!(
        none.last().map(String::as_str),
        Some("No game goes on from this position.")
    );
    let refused = said_with(
        &["play"],
        &["explorer", "explorer rating", "explorer own", "e4"],
    );
    assert!(refused[0].contains("`tabiya play --db DIR`"), "{refused:?}");
    let no_range = "After rating comes a range, such as '2000..'.";
    assert!(refused.iter().any(|line| line == no_range), "{refused:?}");
    // A pipe reads no settings.
    let refused = refused.join(" ");
    assert!(
        !refused.contains("config.toml") && !refused.contains("db.own"),
        "{refused}"
    );
    assert!(
        refused.contains("Through a pipe, saved games are not a database"),
        "{refused}"
    );
}

/// The command line finds a position of one game without knowing the way to it, and so does the line mode.
#[test]
fn a_position_of_one_game_is_found_everywhere() {
    let db = database("one_game.db");
    let fen = "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2";
    let game = file(
        "one_game_more.pgn",
        b"[White \"Eva\"]\n[Result \"1-0\"]\n\n1. d4 d5 2. Bf4 1-0\n",
    );
    run(&["db", "add", &db, &game]).fine();
    let asked = run(&["explorer", "--db", &db, fen]).fine();
    assert!(asked.contains("\n1 game "), "{asked}");
    let said = said_with(&["play", "--db", &db, "--fen", fen], &["explorer"]);
    assert!(
        said.iter().any(|line| line.starts_with("1 game ")),
        "{said:?}"
    );
}

#[test]
fn a_filter_that_is_refused_does_not_stay() {
    let db = database("refused.db");
    let said = said_with(
        &["play", "--db", &db],
        &[
            "explorer white",
            "explorer",
            "explorer rating 2100..",
            "explorer",
        ],
    );
    let counts = said.iter().filter(|line| line.starts_with("4 games "));
    assert_eq!(counts.count(), 2, "{said:?}");
    assert!(
        said.iter().any(|line| line.contains("name the player")),
        "{said:?}"
    );
    assert!(
        said.iter().any(|line| line.contains("bands of 200")),
        "{said:?}"
    );
}

#[test]
fn programs_get_the_shape_that_they_know() {
    let db = database("line_json.db");
    let run = run_lines(
        &["play", "--json", "--db", &db],
        &["e4", "explorer years 2020.."],
    );
    let events: Vec<Value> = run
        .fine()
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let explored = events.iter().find(|event| event["event"] == "explored");
    let explored = explored.expect("an answer");
    assert_eq!(explored["opening"]["eco"], "B00");
    assert_eq!(
        [&explored["white"], &explored["draws"], &explored["black"]],
        [0, 1, 1]
    );
    assert_eq!(explored["moves"][0]["san"], "c5");
    assert_eq!(explored["topGames"][0]["black"]["name"], "Zed");
}

#[test]
fn a_damaged_database_is_said_and_the_game_goes_on() {
    let db = database("line_damaged.db");
    for part in fs::read_dir(&db).expect("a folder") {
        let part = part.expect("an entry").path();
        if part.is_dir() {
            fs::remove_dir_all(part).expect("it is ours");
        }
    }
    let said = said_with(&["play", "--db", &db], &["explorer", "e4", "explorer"]);
    assert_eq!(
        said.iter().filter(|line| line.contains("missing")).count(),
        2,
        "{said:?}"
    );
    assert_eq!(said.len(), 2, "{said:?}");
}

#[cfg(unix)]
mod on_the_screen {
    use super::database;
    use crate::saves::Home;
    use crate::tui_saves::{settle, start};

    #[test]
    fn db_path() {
        let db = database("screen.db");
        let home = Home::new("explorer-path");
        settle(&home, &format!("name = \"Ann\"\n[db]\npath = \"{db}\"\n"));
        let mut screen = start(&home, &[]);
        screen.wait_for("Explorer");
        screen.wait_for("e4            3");
        screen.send("w\r");
        screen.wait_for("Review");
        screen.wait_for("e5            2");
        // Enter plays on while the explorer has the focus.
        screen.send("\r");
        screen.wait_for("Nf3           2");
        screen.send("\t\r");
        screen.wait_for("unsaved changes. Discard");
        screen.send("y");
        screen.wait_for("from a database");
        screen.send("\u{3}\u{3}\u{3}");
        screen.ends();
        // Against a bot it is not there, until somebody asks for it.
        let mut screen = start(&home, &["play", "--black", "bot:1"]);
        screen.wait_for("White to move");
        assert!(!screen.shown().contains("Explorer"), "{}", screen.shown());
        screen.send("w");
        screen.wait_for("e4            3");
        screen.send("\r");
        screen.wait_for("1. e4");
        screen.send("\u{3}\u{3}\u{3}");
        screen.ends();
    }

    #[test]
    fn db_own() {
        let home = Home::new("explorer-own");
        settle(&home, "name = \"Ann\"\n[db]\nown = true\n");
        // Saved games of other people are not among them, and whose name begins with "You" is not the player.
        let saves = home.path().join("data/tabiya/saves");
        std::fs::create_dir_all(&saves).expect("a folder");
        let other =
            |players: &str, moves: &str| format!("{players}\n[Result \"1-0\"]\n\n{moves} 1-0\n");
        let [giri, ann] = [("Giri", "1. d4"), ("Ann", "1. c4")]
            .map(|(black, moves)| other(&format!("[White \"Young\"]\n[Black \"{black}\"]"), moves));
        let bots = other("[WhitePlayer \"bot:1\"]\n[BlackPlayer \"bot:2\"]", "1. f4");
        for (name, text) in [("giri", giri), ("ann", ann), ("bots", bots)] {
            std::fs::write(saves.join(format!("{name}.pgn")), text).expect("a file");
        }
        let mut screen = start(&home, &["play", "--black", "bot:1"]);
        screen.wait_for("White to move");
        screen.send("e4\r");
        screen.wait_for("1. e4");
        screen.send(":resign\r");
        screen.wait_for("Resign the game?");
        screen.send("y");
        screen.wait_for("Black wins");
        screen.send("\u{3}\u{3}\u{3}");
        screen.ends();
        let mut screen = start(&home, &["review", "startpos"]);
        screen.wait_for("My games");
        screen.wait_for("e4            1");
        screen.wait_for("c4            1");
        let shown = screen.shown();
        assert!(
            !shown.contains("d4    ") && !shown.contains("f4    "),
            "{shown}"
        );
        screen.send("j");
        screen.wait_for("Filter");
        screen.wait_for("you 0 %  +0 =0 −2");
        screen.send("\u{3}\u{3}\u{3}");
        screen.ends();
        let own = home.path().join("data/tabiya/own.db/manifest.json");
        assert!(own.exists());
    }
}
