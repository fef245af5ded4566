//! The real disk with what may be found on it: huge files, files that are not games, clocks that were set back, saves
//! of other versions.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::games::{game, name, played, store};
use crate::autosaver::{Autosave, Autosaver, Now};
use crate::disk::SystemDisk;
use crate::disk::model::ModelDisk;
use crate::open_save::OpenSave;
use crate::save_file;
use crate::store::{SaveError, Store};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("tabiya-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("saves")).expect("a folder");
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn huge_and_binary_files_do_no_harm() {
    let folder = Folder::new("places");
    let store = Store::new(SystemDisk, &folder.0);
    let saves = folder.0.join("saves");
    let mut kept = OpenSave::create(&store, &name("good")).expect("a free name");
    kept.write_change(&game(played(&["e4"])), "").expect("kept");
    kept.write_pgn().expect("kept");
    drop(kept);
    // A gibibyte that takes no space: only its length is set.
    for ending in ["pgn", "journal"] {
        let path = saves.join(format!("huge-{ending}.{ending}"));
        let file = File::create(&path).expect("a file");
        file.set_len(1 << 30).expect("a long file");
    }
    let binary: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    fs::write(saves.join("binary.pgn"), &binary).expect("written");
    fs::write(saves.join("empty.pgn"), "").expect("written");
    assert_eq!(store.list().expect("a list").len(), 5);
    store.peek(&name("good")).expect("it is whole");
    for ending in ["pgn", "journal"] {
        let huge = name(&format!("huge-{ending}"));
        let trouble = OpenSave::open(&store, &huge).expect_err("it is too large");
        assert!(matches!(trouble, SaveError::File { .. }), "{trouble}");
        let taken = OpenSave::create(&store, &huge).expect_err("the name is taken");
        assert_eq!(taken, SaveError::Taken(huge.clone()));
        let path = saves.join(format!("{huge}.{ending}"));
        assert_eq!(fs::metadata(path).expect("left alone").len(), 1 << 30);
    }
    let trouble = OpenSave::open(&store, &name("binary")).expect_err("it is no game");
    let SaveError::Unreadable {
        aside: Some(aside), ..
    } = &trouble
    else {
        panic!("{trouble}")
    };
    assert_eq!(fs::read(aside).expect("set aside"), binary);
    OpenSave::open(&store, &name("empty")).expect_err("it is no game");
}

#[test]
fn a_clock_that_was_set_back_overwrites_nothing() {
    let disk = ModelDisk::default();
    let clocks: [fn() -> Now; 3] = [
        || at("2026.11.15", "game-2026-11-15-204502"),
        || at("2020.01.01", "game-2020-01-01-000000"),
        || at("2026.11.15", "game-2026-11-15-204502"),
    ];
    for (number, clock) in clocks.into_iter().enumerate() {
        let mut autosaver = Autosaver::with_store(Ok(store(&disk)), Autosave::On, clock);
        let moves = &["e4", "e5", "Nf3"][..=number];
        autosaver.save(&game(played(moves)));
        autosaver.release();
    }
    let store = store(&disk);
    let plies = |text: &str| {
        let game = store.read(&name(text)).expect("kept");
        game.session.ply()
    };
    assert_eq!(plies("game-2026-11-15-204502"), 1);
    assert_eq!(plies("game-2020-01-01-000000"), 2);
    assert_eq!(plies("game-2026-11-15-204502-2"), 3);
}

fn at(date: &str, name: &str) -> Now {
    Now {
        date: date.to_owned(),
        name: name.to_owned(),
    }
}

/// The number of a copy decides which one is the latest, not any clock.
#[test]
fn a_file_with_a_later_time_is_not_the_later_copy() {
    let disk = ModelDisk::default();
    let text = |number, moves: &[&str]| save_file::save_text(&game(played(moves)), number, "");
    let journal = save_file::journal_entry(&text(7, &["e4", "e5"]));
    disk.put(Path::new("/data/saves/game.journal"), journal.as_bytes());
    let pgn = text(6, &["e4"]);
    disk.put(Path::new("/data/saves/game.pgn"), pgn.as_bytes());
    let found = store(&disk).find(&name("game")).expect("a game");
    assert_eq!(found.copy.number, 7);
}

#[test]
fn an_older_format_is_read_and_kept_before_it_is_written_anew() {
    let disk = ModelDisk::default();
    let older = save_file::save_text(&game(played(&["e4"])), 3, "")
        .replace("TabiyaSave \"1 ", "TabiyaSave \"0 ");
    disk.put(Path::new("/data/saves/game.pgn"), older.as_bytes());
    let store = store(&disk);
    let found = store.find(&name("game")).expect("it can be read");
    assert_eq!((found.copy.number, found.copy.is_own), (3, false));
    let (mut kept, _) = OpenSave::open(&store, &name("game")).expect("it can be played");
    kept.write_change(&game(played(&["e4", "e5"])), "")
        .expect("kept");
    assert!(disk.holds(older.as_bytes()), "the file as it was is kept");
}
