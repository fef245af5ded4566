//! `tabiya db` and `tabiya explorer`: databases are built, added to, put together and asked, and survive being killed.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tabiya_rules::{Position, SplitMix64};

use crate::pgn_support::file;
use crate::support::{json, run, run_with, size, spawn};

const GAMES: &str = "\
[Event \"A\"]\n[White \"Carl\"]\n[Black \"Dora\"]\n[Date \"2020.01.01\"]\n[WhiteElo \"2500\"]\n[BlackElo \"2450\"]\n\
[TimeControl \"180+2\"]\n[Result \"1-0\"]\n\n1. e4 c5 2. Nf3 d6 1-0\n
[Event \"A\"]\n[White \"Dora\"]\n[Black \"Carl\"]\n[Date \"2021.01.01\"]\n[WhiteElo \"2100\"]\n[BlackElo \"2200\"]\n\
[TimeControl \"5400+30\"]\n[Result \"0-1\"]\n\n1. e4 e5 (1... c5) 2. f4 exf4 0-1\n
[Event \"A\"]\n[White \"Eva\"]\n[Black \"Fred\"]\n[Date \"2022.01.01\"]\n[Result \"1/2-1/2\"]\n\n1. Nf3 c5 2. e4 Nc6 1/2-1/2\n
[Event \"A\"]\n[White \"Eva\"]\n[Black \"Fred\"]\n[Date \"2022.02.01\"]\n[Result \"*\"]\n\n1. e4 e6 *\n";

/// A folder that is not there.
fn folder(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    path.to_str().expect("a path in UTF-8").to_owned()
}

#[test]
fn a_database_is_built_and_asked() {
    let games = file("db_games.pgn", GAMES.as_bytes());
    let db = folder("asked.db");
    let built = run(&["db", "build", &db, &games]).fine();
    assert_eq!(built, "4 games stored (4 read)\n");
    let start = run(&["explorer", "--db", &db]).fine();
    assert_eq!(
        start,
        "3 games  White 33 %, draws 33 %, Black 33 %\n\n\
         e4              2  66.7 %  ##########..........   50   0  50  2312  2021\n\
         Nf3             1  33.3 %  ====================    0 100   0     -  2022\n\n\
         2020  e4      Carl (2500) – Dora (2450)  1-0\n\
         2022  Nf3     Eva – Fred  1/2-1/2\n"
    );
    // By another order of moves: the third game comes here too.
    let sicilian = json(run(&[
        "explorer",
        "--db",
        &db,
        "--moves",
        "Nf3 c5 e4",
        "--json",
    ]));
    assert_eq!(sicilian["opening"]["eco"], "B27");
    assert_eq!(
        sicilian["moves"],
        json!([
            {"uci": "d7d6", "san": "d6", "white": 1, "draws": 0, "black": 0, "averageRating": 2475, "lastYear": 2020},
            {"uci": "b8c6", "san": "Nc6", "white": 0, "draws": 1, "black": 0, "averageRating": null, "lastYear": 2022},
        ])
    );
    assert_eq!(
        sicilian["topGames"][0]["white"],
        json!({"name": "Carl", "rating": 2500})
    );
    assert_eq!(sicilian["topGames"][0]["winner"], "white");
    let count = |arguments: &[&str]| {
        let answer = json(run(
            &[&["explorer", "--db", &db, "--json"], arguments].concat()
        ));
        ["white", "draws", "black"].map(|key| answer[key].as_u64().expect("a number"))
    };
    assert_eq!(count(&["--rating", "2400.."]), [1, 0, 0]);
    assert_eq!(count(&["--years", "2021..2022"]), [0, 1, 1]);
    assert_eq!(count(&["--speed", "classical,rapid"]), [0, 0, 1]);
    assert_eq!(count(&["--player", "carl"]), [1, 0, 1]);
    assert_eq!(count(&["--player", "carl", "--color", "black"]), [0, 0, 1]);
    // One game alone has this, with the way there and without.
    assert_eq!(count(&["--moves", "e4 e5 f4"]), [0, 0, 1]);
    assert_eq!(
        count(&["rnbqkbnr/pppp1ppp/8/4p3/4PP2/8/PPPP2PP/RNBQKBNR b KQkq - 0 2"]),
        [0, 0, 1]
    );
}

#[test]
fn what_cannot_be_answered_is_said() {
    let games = file("db_more_games.pgn", GAMES.as_bytes());
    let db = folder("said.db");
    assert_eq!(run(&["explorer", "--db", &db]).code, 3);
    run(&["db", "build", &db, &games]).fine();
    let none = run(&["explorer", "--db", &db, "--moves", "a3"]);
    assert_eq!(
        (none.code, none.out.as_str(), none.err.as_str()),
        (
            1,
            "A00 Anderssen's Opening\nNo game goes on from this position.\n",
            ""
        )
    );
    // Move numbers are read.
    let pasted = run(&["explorer", "--db", &db, "--moves", "1.a3 a6 2. a4"]);
    assert_eq!((pasted.code, pasted.err), (1, none.err));
    // If a filter is the reason, that is said.
    let filtered = run(&["explorer", "--db", &db, "--years", "1900..1901"]);
    assert_eq!(
        (filtered.code, filtered.out.as_str()),
        (
            1,
            "No game that passes the filter goes on from this position.\n"
        )
    );
    for refused in [["--rating", "2100.."], ["--color", "white"]] {
        let refused = run(&[&["explorer", "--db", &db], &refused[..]].concat());
        assert_eq!(refused.code, 2, "{}", refused.err);
    }
    let again = run(&["db", "build", &db, &games]);
    assert_eq!(again.code, 3);
    assert!(
        again.err.contains("there is a database already"),
        "{}",
        again.err
    );
    let missing = run(&["db", "add", &db, "no-such-file.pgn"]);
    assert_eq!(missing.code, 3, "{}", missing.err);
    let home = folder("not_a_database");
    fs::create_dir_all(&home).expect("a folder");
    assert!(
        run(&["db", "info", &home])
            .err
            .contains("there is no database in this folder")
    );
    for asked in [&["explorer", "--db", &games][..], &["db", "info", &games]] {
        let file = run(asked);
        assert_eq!(file.code, 3, "{}", file.err);
        assert!(file.err.contains("this is a file"), "{}", file.err);
    }
    // Control characters of a game do not reach the terminal.
    let hostile = file(
        "db_hostile.pgn",
        b"[White \"\x1b[2Jx\"]\n[Result \"1-0\"]\n\n1. a3 1-0\n",
    );
    run(&["db", "add", &db, &hostile]).fine();
    let shown = run(&["explorer", "--db", &db]).fine();
    assert!(!shown.contains('\x1b') && shown.contains("a3"), "{shown}");
}

#[test]
fn shares_are_put_together() {
    let games = file("db_share_games.pgn", random_games(3, 400).as_bytes());
    let whole = folder("shares_whole.db");
    run(&["db", "build", &whole, &games]).fine();
    let shares: Vec<String> = (1..=4)
        .map(|share| folder(&format!("share_{share}.db")))
        .collect();
    // Four processes at the same time.
    let children: Vec<_> = (1..=4)
        .zip(&shares)
        .map(|(share, folder)| {
            spawn(&[
                "db",
                "build",
                folder,
                &games,
                "--part",
                &format!("{share}/4"),
            ])
        })
        .collect();
    for child in children {
        assert!(child.wait_with_output().expect("it ends").status.success());
    }
    let alone = run(&["db", "add", &shares[0], &games]);
    assert!(
        alone.err.contains("this is share 1/4 of a database"),
        "{}",
        alone.err
    );
    let merged = folder("shares_merged.db");
    let mut arguments = vec!["db", "merge", &merged];
    arguments.extend(shares.iter().map(String::as_str));
    run(&arguments).fine();
    run(&["db", "info", &merged, "--check"]).fine();
    let read =
        |folder: &str| fs::read(PathBuf::from(folder).join("manifest.json")).expect("a manifest");
    // The manifest has the checksums of all files.
    assert!(
        read(&whole) == read(&merged),
        "the same database, byte for byte"
    );
}

#[test]
fn stdin_is_read_and_copies_are_left_out() {
    let db = folder("stdin.db");
    let built = run_with(
        &["db", "build", &db, "-", "--full", "--json"],
        &format!("{GAMES}\n{GAMES}"),
    );
    assert_eq!(json(built), json!({"games": 4, "read": 8, "errors": 0}));
    let games = file("db_stdin_games.pgn", GAMES.as_bytes());
    let added = json(run(&["db", "add", &db, &games, "--json"]));
    assert_eq!(
        added,
        json!({"games": 4, "read": 4, "added": 0, "errors": 0})
    );
    let info = json(run(&["db", "info", &db, "--json"]));
    assert_eq!(info["tables"][3]["name"], "occurrences");
    assert_eq!(info["share"], Value::Null);
}

fn random_games(seed: u64, count: usize) -> String {
    let mut random = SplitMix64::new(seed);
    let mut text = String::new();
    for number in 0..count {
        let result = ["1-0", "0-1", "1/2-1/2"][random.below(3)];
        let _ = write!(
            text,
            "[Event \"E\"]\n[White \"{number}\"]\n[Black \"{seed}\"]\n[Result \"{result}\"]\n\n"
        );
        let mut position = Position::start();
        for ply in 0..60 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let choices = if ply < 6 { 2 } else { moves.len() };
            let m = moves[random.below(choices.min(moves.len()))];
            let _ = write!(text, "{} ", position.san(m));
            position = position.play_unchecked(m);
        }
        let _ = writeln!(text, "{result}\n");
    }
    text
}

/// Games are added while the program is killed again and again: the database is always the old one or the new one.
#[test]
fn killed_at_any_moment_a_database_is_whole() {
    let one = file("db_kill_one.pgn", random_games(1, 300).as_bytes());
    let two = file("db_kill_two.pgn", random_games(2, 1200).as_bytes());
    let clean = folder("kill_clean.db");
    run(&["db", "build", &clean, &one, &two]).fine();
    let expected = json(run(&["explorer", "--db", &clean, "--json"]));
    let db = folder("killed.db");
    run(&["db", "build", &db, &one]).fine();
    let mut random = SplitMix64::new(9);
    let (mut old, mut new, mut killed) = (0, 0, 0);
    let rounds = size("TABIYA_DB_KILLS", 25);
    for round in 0..rounds {
        let mut child = spawn(&["db", "add", &db, &two, "--memory", "1M", "--threads", "2"]);
        // Longer and longer, so that every moment has its turn.
        let longest = 100_000 * (round + 1) / rounds;
        thread::sleep(Duration::from_micros(random.below(longest) as u64));
        let _ = child.kill();
        killed += usize::from(!child.wait().expect("it ends").success());
        let info = json(run(&["db", "info", &db, "--check", "--json"]));
        match info["games"].as_u64() {
            Some(300) => old += 1,
            Some(1500) => {
                // All games are there, so that nothing is left to be interrupted.
                new += 1;
                fs::remove_dir_all(&db).expect("it is there");
                run(&["db", "build", &db, &one]).fine();
            }
            other => panic!("{other:?} games after kill {round}"),
        }
    }
    assert!(
        killed > 0 && old > 0,
        "{killed} killed, {old} old, {new} new"
    );
    // The last kill may have left a build that goes on, which is said.
    let added = run(&[
        "db",
        "add",
        &db,
        &two,
        "--memory",
        "1M",
        "--threads",
        "2",
        "--json",
    ]);
    assert!(
        ["", "tabiya: resuming an interrupted build\n"].contains(&&*added.err),
        "{}",
        added.err
    );
    let added: Value = serde_json::from_str(&added.out).expect("JSON");
    assert_eq!(added["games"], 1500);
    assert_eq!(json(run(&["explorer", "--db", &db, "--json"])), expected);
    let left: Vec<_> = fs::read_dir(&db)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert_eq!(left.len(), 2, "{left:?}");
}
