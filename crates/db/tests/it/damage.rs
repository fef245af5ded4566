//! Files that are missing, truncated, changed or of another version: the error is a sentence, and nothing is lost.

use std::fs;
use std::path::{Path, PathBuf};

use tabiya_db::{Builder, Damage, Database, DbError, Effort, Filter, Query};
use tabiya_rules::Position;

use crate::support::{Scratch, build, games, options};

fn database(scratch: &Scratch) -> PathBuf {
    let (file, folder) = (scratch.path("games.pgn"), scratch.path("db"));
    fs::write(&file, games(31, 300)).expect("a file");
    build(&folder, &file, options()).expect("a database");
    folder
}

/// Queries the start position with games, so that several parts are read, and checks everything.
fn use_it(folder: &Path) -> Result<(), DbError> {
    let database = Database::open(folder)?;
    let query = Query {
        path: &[],
        position: Position::start(),
        filter: Filter::default(),
        player: None,
        games: 10,
        effort: Effort::EveryGame,
    };
    database.explore(&query)?;
    database.check()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let data = Database::open(folder).expect("a database").info().data;
    let tables = fs::read_dir(data).expect("a folder");
    let mut files: Vec<PathBuf> = tables
        .flat_map(|table| fs::read_dir(table.expect("an entry").path()).expect("a folder"))
        .map(|file| file.expect("an entry").path())
        .collect();
    files.sort();
    files
}

#[test]
fn missing_cut_and_changed_parts_are_named() {
    let scratch = Scratch::new();
    let folder = database(&scratch);
    for file in files(&folder).iter().step_by(5) {
        let bytes = fs::read(file).expect("a file");
        if bytes.is_empty() {
            continue;
        }
        let name = file
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let check = |what: &str| {
            let error = use_it(&folder).expect_err(what).to_string();
            assert!(error.contains(&name), "{what}: {error}");
            assert!(!error.ends_with('.'), "{error}");
        };
        fs::remove_file(file).expect("removed");
        check("missing");
        for length in [0, 1, bytes.len() / 2, bytes.len() - 1] {
            fs::write(file, &bytes[..length]).expect("written");
            check("cut");
        }
        for at in [0, bytes.len() / 3, bytes.len() / 2, bytes.len() - 1] {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << (at % 8);
            fs::write(file, &changed).expect("written");
            check("changed");
        }
        fs::write(file, &bytes).expect("written");
        use_it(&folder).expect("as it was");
    }
}

#[test]
fn a_manifest_with_any_byte_changed_is_refused() {
    let scratch = Scratch::new();
    let folder = database(&scratch);
    let path = folder.join("manifest.json");
    let text = fs::read(&path).expect("a manifest");
    for at in (0..text.len()).step_by(7).chain([text.len() - 1]) {
        let mut changed = text.clone();
        changed[at] ^= 1;
        fs::write(&path, &changed).expect("written");
        match Database::open(&folder) {
            Err(
                DbError::Damaged {
                    damage: Damage::Manifest(_),
                    ..
                }
                | DbError::Older { .. }
                | DbError::Newer { .. },
            ) => {}
            // White space means nothing.
            Ok(_) if text[at].is_ascii_whitespace() => {}
            other => panic!("byte {at}: {other:?}"),
        }
        fs::write(&path, &text[..at]).expect("written");
        // Only white space at the end can be missing.
        let is_whole = text[at..].trim_ascii().is_empty();
        assert_eq!(Database::open(&folder).is_ok(), is_whole, "cut at {at}");
    }
}

#[test]
fn another_version_is_told_as_such() {
    let scratch = Scratch::new();
    let folder = database(&scratch);
    let path = folder.join("manifest.json");
    let text = fs::read_to_string(&path).expect("a manifest");
    for (version, sentence) in [
        (
            "1",
            "has version 1, and this program reads version 2; remove the folder and build the database again",
        ),
        ("3", "has version 3, and this program reads up to version 2"),
    ] {
        let version = format!("\"tabiya_db\": {version}");
        let changed = text.replacen("\"tabiya_db\": 2", &version, 1);
        fs::write(&path, changed).expect("written");
        let opened = Database::open(&folder).expect_err("another version");
        let extended =
            Builder::extend(&folder, Vec::new(), options()).expect_err("another version");
        for error in [opened, extended] {
            assert!(error.to_string().contains(sentence), "{error}");
        }
    }
    fs::write(&path, text).expect("written");
    use_it(&folder).expect("as it was");
}
