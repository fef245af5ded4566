//! What other programs do to the files of a game while it is played: they remove or rename folders,
//! write files, create links. On the real disk, except where many files are needed.

use std::fs;
use std::path::{Path, PathBuf};

use tabiya_game::{Command, Timestamp};
use tabiya_rules::Color;

use super::games::{game, name, played, store};
use crate::autosaver::{Autosave, Autosaver, Now, SaveNotice};
use crate::disk::SystemDisk;
use crate::disk::model::ModelDisk;
use crate::store::Store;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder =
            std::env::temp_dir().join(format!("tabiya-others-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        Folder(folder)
    }

    fn data(&self) -> PathBuf {
        self.0.join("data")
    }

    fn saves(&self) -> PathBuf {
        self.data().join("saves")
    }

    fn autosaver(&self) -> Autosaver {
        let now = || Now {
            date: "2026.11.16".to_owned(),
            name: "game-2026-11-16-120000".to_owned(),
        };
        Autosaver::with_store(Ok(Store::new(SystemDisk, &self.data())), Autosave::On, now)
    }

    /// Returns the number of plies in the only save.
    fn plies(&self) -> u32 {
        let store = Store::new(SystemDisk, &self.data());
        let listed = store.list().expect("a list");
        assert_eq!(listed.len(), 1, "{listed:?}");
        let game = store.read(&listed[0].name).expect("it is whole");
        game.session.ply()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const MOVES: [&str; 5] = ["e4", "e5", "Nf3", "Nc6", "Bb5"];

#[test]
fn a_folder_that_is_removed_or_renamed_costs_no_move() {
    type Harm = fn(&Folder);
    let harms: [(&str, Harm); 4] = [
        ("saves removed", |folder| {
            fs::remove_dir_all(folder.saves()).expect("removed");
        }),
        ("saves renamed", |folder| {
            fs::rename(folder.saves(), folder.data().join("old")).expect("renamed");
        }),
        ("everything removed", |folder| {
            fs::remove_dir_all(folder.data()).expect("removed");
        }),
        ("everything renamed", |folder| {
            fs::rename(folder.data(), folder.0.join("old")).expect("renamed");
        }),
    ];
    for (what, harm) in harms {
        // The harm is done between two moves, or between the last move and the end.
        for goes_on in [true, false] {
            let folder = Folder::new("folders");
            let mut autosaver = folder.autosaver();
            for length in 1..=3 {
                assert_eq!(
                    autosaver.save(&game(played(&MOVES[..length]))),
                    None,
                    "{what}"
                );
            }
            harm(&folder);
            let mut told = Vec::new();
            if goes_on {
                told.extend(autosaver.save(&game(played(&MOVES[..4]))));
                assert_eq!(folder.plies(), 4, "{what}: kept when it is said");
                told.extend(autosaver.save(&game(played(&MOVES))));
                assert_eq!(folder.plies(), 5, "{what}");
                let [SaveNotice::Remark(news)] = &told[..] else {
                    panic!("{what}: {told:?}")
                };
                let sentence = news.to_string();
                assert!(sentence.contains("removed or renamed"), "{sentence}");
            }
            // Another program cannot open the game meanwhile.
            let mut other = folder.autosaver();
            let slot = name("game-2026-11-16-120000");
            if goes_on {
                assert!(other.open(&slot).is_err(), "{what}: it is locked");
            }
            autosaver.release();
            assert_eq!(folder.plies(), if goes_on { 5 } else { 3 }, "{what}");
            other.open(&slot).expect("it is free");
        }
    }
}

#[test]
fn a_folder_that_cannot_be_made_again_is_told_at_once() {
    let folder = Folder::new("blocked");
    let mut autosaver = folder.autosaver();
    autosaver.save(&game(played(&MOVES[..1])));
    fs::remove_dir_all(folder.saves()).expect("removed");
    fs::write(folder.saves(), "not a folder").expect("a file");
    let told = autosaver.save(&game(played(&MOVES[..2])));
    assert!(matches!(told, Some(SaveNotice::Problem(_))), "{told:?}");
    fs::remove_file(folder.saves()).expect("removed");
    let told = autosaver.save(&game(played(&MOVES[..3])));
    assert!(matches!(told, Some(SaveNotice::Remark(_))), "{told:?}");
    assert_eq!(folder.plies(), 3);
}

#[test]
fn a_file_that_somebody_else_changed_is_copied_before_it_is_written() {
    let folder = Folder::new("changed");
    let mut autosaver = folder.autosaver();
    autosaver
        .save_as(Some(&name("mine")), &game(played(&MOVES[..2])))
        .expect("saved");
    autosaver.save(&game(played(&MOVES[..3])));
    let path = folder.saves().join("mine.pgn");
    let theirs = "1. d4 { a thought of somebody else } *\n";
    fs::write(&path, theirs).expect("written");
    autosaver.save(&game(played(&MOVES[..4])));
    let told = autosaver.release();
    let Some(SaveNotice::Remark(news)) = told else {
        panic!("{told:?}")
    };
    let sentence = news.to_string();
    assert!(sentence.starts_with("Somebody else changed"), "{sentence}");
    let copies = fs::read_dir(folder.data().join("damaged")).expect("copies");
    let copies: Vec<PathBuf> = copies.flatten().map(|entry| entry.path()).collect();
    let [copy] = &copies[..] else {
        panic!("{copies:?}")
    };
    assert_eq!(fs::read_to_string(copy).expect("a copy"), theirs);
    assert!(sentence.contains(&copy.display().to_string()), "{sentence}");
    assert_eq!(folder.plies(), 4);
}

#[test]
fn a_file_that_nobody_changed_is_not_copied() {
    let folder = Folder::new("unchanged");
    let mut autosaver = folder.autosaver();
    for length in 1..=4 {
        let saved = autosaver.save_as(Some(&name("mine")), &game(played(&MOVES[..length])));
        assert_eq!(saved.expect("saved").to_string(), "Saved as mine.");
        autosaver.save(&game(played(&MOVES[..=length])));
    }
    assert_eq!(autosaver.release(), None);
    autosaver.open(&name("mine")).expect("it is there");
    assert_eq!(autosaver.save(&game(played(&MOVES))), None);
    assert_eq!(autosaver.release(), None);
    assert!(!folder.data().join("damaged").exists());
}

#[test]
#[cfg(unix)]
fn a_link_in_the_place_of_a_save_is_called_so() {
    let folder = Folder::new("link");
    fs::create_dir_all(folder.saves()).expect("a folder");
    fs::write(folder.0.join("real.pgn"), "1. e4 *\n").expect("a file");
    let link = folder.saves().join("linked.pgn");
    std::os::unix::fs::symlink(folder.0.join("real.pgn"), link).expect("a link");
    let error = folder
        .autosaver()
        .open(&name("linked"))
        .expect_err("a link");
    let sentence = error.to_string();
    assert!(
        sentence.starts_with("it is a link to another place, and a plain file is needed: "),
        "{sentence}"
    );
}

#[test]
fn the_latest_open_game_is_found_behind_any_number_of_others() {
    let disk = ModelDisk::default();
    let store = store(&disk);
    let mut over = played(&["e4"]);
    over.apply(Command::Resign(Color::Black), Timestamp::ORIGIN)
        .expect("it can");
    let text = |session| crate::save_file::save_text(&game(session), 1, "");
    disk.put(
        Path::new("/data/saves/open.pgn"),
        text(played(&["d4", "d5"])).as_bytes(),
    );
    let over = text(over);
    for number in 0..1500 {
        let path = format!("/data/saves/over-{number}.pgn");
        disk.put(Path::new(&path), over.as_bytes());
    }
    let latest = store.latest().expect("one is open");
    assert_eq!(latest, (name("open"), None));
}
