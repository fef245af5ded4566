//! Games of a match go to a file, come back from it, and are written to others.

use tabiya_front::matches::{Export, ExportForm, MatchSummary};
use tabiya_game::{Record, pgn};
use tabiya_store::paths::NoHomeFolder;

use super::MatchFile;
use crate::message::NotDone;

struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("tabiya-match-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn record(text: &str) -> Record {
    let game = pgn::games(text.as_bytes()).next();
    game.expect("a game").record
}

#[test]
fn games_are_kept_found_again_and_exported() {
    let folder = Folder::new("export");
    let mut file = MatchFile::below(Ok(folder.0.join("matches")));
    assert_eq!(file.path(), None, "nothing is made before a game is over");
    let games = ["1. e4 e5 1/2-1/2", "1. f3 e5 2. g4 Qh4# 0-1", "1. d4 *"]
        .map(|moves| record(&format!("[Date \"2026.11.15\"]\n\n{moves}")));
    let places: Vec<u64> = (1..)
        .zip(&games[..2])
        .map(|(number, game)| file.append(number, game).expect("kept"))
        .collect();
    assert_eq!(places[0], 0);
    for (game, &place) in games.iter().zip(&places) {
        assert_eq!(file.read(place).expect("there"), *game);
    }
    // Another match within the same second has its own file.
    let mut other = MatchFile::below(Ok(folder.0.join("matches")));
    other.append(1, &games[0]).expect("kept");
    assert_ne!(file.path(), other.path());

    let export = |name: &str, form: ExportForm| Export {
        path: folder.0.join(name),
        form,
        // The second is in the file by now, though the caller does not know it yet.
        rest: vec![(2, games[1].clone()), (3, games[2].clone())],
    };
    let written = file.export(&export("x.pgn", ExportForm::Pgn));
    let sentence = written.expect("written").to_string();
    assert!(sentence.starts_with("Written to "), "{sentence}");
    let text = std::fs::read(folder.0.join("x.pgn")).expect("there");
    let read: Vec<Record> = pgn::games(&text[..]).map(|game| game.record).collect();
    assert_eq!(read, games);
    let again = file.export(&export("x.pgn", ExportForm::Pgn));
    assert!(again.is_err(), "a file that is there is left alone");

    let head = MatchSummary {
        a: "x".to_owned(),
        b: "y".to_owned(),
        wins: 1,
        draws: 0,
        losses: 2,
        as_white: [1, 0, 1],
        as_black: [0, 0, 1],
    };
    file.export(&export("x.json", ExportForm::Json(Box::new(head))))
        .expect("written");
    let text = std::fs::read_to_string(folder.0.join("x.json")).expect("there");
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["a"], "x");
    let games = json["games"].as_array().expect("games");
    assert_eq!(games.len(), 3);
    assert_eq!(games[1]["result"], "0-1");
}

#[test]
fn a_folder_that_cannot_be_used_is_said() {
    let folder = Folder::new("unusable");
    let path = folder.0.join("matches");
    std::fs::write(&path, "no folder").expect("written");
    let mut file = MatchFile::below(Ok(path));
    let error = file.append(1, &record("1. e4 *")).expect_err("no folder");
    let sentence = error.to_string();
    assert!(sentence.contains("matches: "), "{sentence}");
    let mut nowhere = MatchFile::below(Err(NoHomeFolder));
    assert_eq!(
        nowhere.append(1, &record("1. e4 *")).expect_err("none"),
        NotDone::NoHomeFolder(NoHomeFolder)
    );
    // What is in memory can still be written.
    let export = Export {
        path: folder.0.join("x.pgn"),
        form: ExportForm::Pgn,
        rest: vec![(1, record("1. e4 *"))],
    };
    assert!(nowhere.export(&export).is_ok());
    let nowhere_else = Export {
        path: folder.0.join("no/x.pgn"),
        ..export
    };
    assert!(nowhere.export(&nowhere_else).is_err());
}

#[test]
fn a_game_that_was_broken_off_gets_its_date() {
    let folder = Folder::new("date");
    let mut file = MatchFile::below(Ok(folder.0.join("matches")));
    let place = file.append(1, &record("1. e4 *")).expect("kept");
    let kept = file.read(place).expect("there");
    let date = kept.tags().get("Date").expect("a date");
    assert!(date.starts_with("20") && date.len() == 10, "{date}");
}
