//! A database that version 0.2 has built still opens, answers, and takes more games.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::{json, run};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/v0_2/database")
}

fn text(path: &Path) -> String {
    path.to_str().expect("a path in UTF-8").to_owned()
}

/// Asks all queries of `explorer.json`, whose answers another program has counted.
fn ask(db: &str) {
    let known = std::fs::read_to_string(data().join("explorer.json")).expect("there");
    let known: Vec<Value> = serde_json::from_str(&known).expect("JSON");
    assert_eq!(known.len(), 13);
    for query in known {
        let arguments = query["arguments"].as_array().expect("a list").iter();
        let mut asked = vec!["explorer", "--db", db, "--json"];
        asked.extend(arguments.map(|word| word.as_str().expect("a text")));
        let answer = json(run(&asked));
        let moves = answer["moves"].as_array().expect("a list").iter();
        let counts = |m: &Value| json!([m["white"], m["draws"], m["black"]]);
        let played: BTreeMap<&str, Value> = moves
            .map(|m| (m["san"].as_str().expect("a move"), counts(m)))
            .collect();
        assert_eq!(json!(played), query["moves"], "{asked:?}");
    }
}

#[test]
fn it_opens_and_answers() {
    let db = text(&data().join("games.db"));
    let info = json(run(&["db", "info", &db, "--check", "--json"]));
    let rows = |table: usize| {
        (
            &info["tables"][table]["name"],
            &info["tables"][table]["rows"],
        )
    };
    assert_eq!(
        (&info["games"], &info["read"], &info["errors"]),
        (&json!(30), &json!(32), &json!(1))
    );
    assert_eq!(rows(0), (&json!("games"), &json!(30)));
    assert_eq!(rows(3), (&json!("occurrences"), &json!(461)));
    ask(&db);
}

#[test]
fn more_games_are_added_and_a_new_one_answers_alike() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("v0_2_database");
    let _ = std::fs::remove_dir_all(&folder);
    let (old, new) = (folder.join("old.db"), text(&folder.join("new.db")));
    crate::earlier_versions::copy(&data().join("games.db"), &old);
    let (old, games) = (text(&old), text(&data().join("games.pgn")));
    let added = run(&["db", "add", &old, &games, "--json"]);
    // One of the games has an error.
    assert_eq!(added.code, 1, "{}", added.err);
    let added: Value = serde_json::from_str(&added.out).expect("JSON");
    assert_eq!((&added["games"], &added["added"]), (&json!(30), &json!(0)));
    assert_eq!(run(&["db", "build", &new, &games]).code, 1);
    for db in [&old, &new] {
        run(&["db", "info", db, "--check"]).fine();
        ask(db);
    }
}
