//! The game being played, and the messages about saving it.

use std::path::Path;

use tabiya_game::{Command, NewGame, Session, Timestamp};

use super::games::{game, name, played, store};
use crate::autosaver::{Autosave, Autosaver, Now, SaveNotice};
use crate::disk::model::{Fault, ModelDisk};
use crate::paths::NoHomeFolder;
use crate::store::SaveError;

fn autosaver(disk: &ModelDisk, autosave: Autosave) -> Autosaver<ModelDisk> {
    let now = || Now {
        date: "2026.11.15".to_owned(),
        name: "game-2026-11-15-204502".to_owned(),
    };
    Autosaver::with_store(Ok(store(disk)), autosave, now)
}

fn names(disk: &ModelDisk) -> Vec<String> {
    let listed = store(disk).list().expect("a list");
    listed.iter().map(|one| one.name.to_string()).collect()
}

#[test]
fn games_are_kept_from_their_first_move_on_and_each_by_itself() {
    let disk = ModelDisk::default();
    let mut autosaver = autosaver(&disk, Autosave::On);
    assert_eq!(autosaver.save(&game(Session::default())), None);
    assert_eq!(names(&disk), Vec::<String>::new());
    assert_eq!(autosaver.save(&game(played(&["e4"]))), None);
    assert_eq!(autosaver.save(&game(played(&["e4", "e5"]))), None);
    assert_eq!(names(&disk), ["game-2026-11-15-204502"]);
    assert_eq!(autosaver.release(), None);
    assert_eq!(autosaver.save(&game(played(&["d4"]))), None);
    assert_eq!(
        names(&disk),
        ["game-2026-11-15-204502-2", "game-2026-11-15-204502"]
    );
    let kept = store(&disk)
        .find(&name("game-2026-11-15-204502"))
        .expect("there");
    assert_eq!(kept.copy.game.session.ply(), 2);
    assert!(!kept.has_journal, "a game that was left is PGN");
}

#[test]
fn a_game_that_is_over_is_pgn_at_once() {
    let disk = ModelDisk::default();
    let mut autosaver = autosaver(&disk, Autosave::On);
    autosaver.save(&game(played(&["f3", "e5", "g4"])));
    autosaver.save(&game(played(&["f3", "e5", "g4", "Qh4#"])));
    let found = store(&disk)
        .find(&name("game-2026-11-15-204502"))
        .expect("there");
    assert!(!found.has_journal);
    assert!(found.copy.game.session.outcome().is_some());
}

#[test]
fn without_autosave_only_what_was_opened_is_kept() {
    let disk = ModelDisk::default();
    let mut autosaver = autosaver(&disk, Autosave::Off);
    autosaver.save(&game(played(&["e4"])));
    assert_eq!(names(&disk), Vec::<String>::new());
    let saved = autosaver.save_as(Some(&name("mine")), &game(played(&["e4"])));
    assert_eq!(saved.expect("saved").to_string(), "Saved as mine.");
    autosaver.save(&game(played(&["e4", "e5"])));
    let ply = |name_of: &str| {
        let found = store(&disk).find(&name(name_of)).expect("there");
        found.copy.game.session.ply()
    };
    assert_eq!(ply("mine"), 1, "it was saved, and not opened");
    assert!(
        autosaver
            .save_as(Some(&name("mine")), &game(played(&["e4", "e5"])))
            .is_ok(),
        "its own name is not taken"
    );
    assert_eq!(ply("mine"), 2);
    autosaver.release();
    let opened = autosaver.open(&name("mine")).expect("it is there");
    assert_eq!(opened.session.ply(), 2);
    autosaver.save(&game(played(&["e4", "e5", "Nf3"])));
    assert_eq!(ply("mine"), 3);
}

#[test]
fn a_name_that_is_given_takes_the_place_of_the_slot() {
    let disk = ModelDisk::default();
    let mut autosaver = autosaver(&disk, Autosave::On);
    autosaver.save(&game(played(&["e4"])));
    autosaver
        .save_as(Some(&name("mine")), &game(played(&["e4"])))
        .expect("saved");
    assert_eq!(names(&disk), ["mine"]);
    autosaver.save(&game(played(&["e4", "c5"])));
    autosaver
        .save_as(Some(&name("second")), &game(played(&["e4", "c5"])))
        .expect("saved");
    assert_eq!(
        names(&disk),
        ["mine", "second"],
        "what the user has named stays"
    );
    autosaver.release();
    let taken = autosaver
        .save_as(Some(&name("mine")), &game(played(&["d4"])))
        .expect_err("taken");
    assert_eq!(taken, SaveError::Taken(name("mine")));
}

#[test]
fn a_slot_that_was_resumed_is_still_a_slot() {
    let disk = ModelDisk::default();
    let slot = "game-2026-11-15-204502";
    for (saved, left) in [
        (slot, vec!["mine"]),
        ("game-2026-11-15-204502-12", vec!["mine"]),
        // Names that a user has chosen.
        ("game-2026-11-15", vec!["game-2026-11-15", "mine"]),
        (
            "game-2026-11-15-204502-x",
            vec!["game-2026-11-15-204502-x", "mine"],
        ),
        (
            "Game-2026-11-15-204502",
            vec!["Game-2026-11-15-204502", "mine"],
        ),
    ] {
        let mut autosaver = autosaver(&disk, Autosave::On);
        autosaver
            .save_copy(&name(saved), &game(played(&["e4"])))
            .expect("saved");
        let opened = autosaver.open(&name(saved)).expect("it is there");
        autosaver
            .save_as(Some(&name("mine")), &opened)
            .expect("saved");
        autosaver.release();
        let mut names = names(&disk);
        names.sort();
        assert_eq!(names, left);
        for left in left {
            autosaver.delete(&name(left)).expect("deleted");
        }
    }
    // A file that another program put there is not removed.
    let path = format!("/data/saves/{slot}.pgn");
    disk.put(Path::new(&path), b"1. e4 { only here } *\n");
    let mut autosaver = autosaver(&disk, Autosave::On);
    let opened = autosaver.open(&name(slot)).expect("it is there");
    autosaver
        .save_as(Some(&name("mine")), &opened)
        .expect("saved");
    assert_eq!(names(&disk).len(), 2);
}

#[test]
fn looking_at_a_save_changes_nothing() {
    let disk = ModelDisk::default();
    let mut first = autosaver(&disk, Autosave::On);
    first
        .save_as(Some(&name("mine")), &game(played(&["e4", "e5"])))
        .expect("saved");
    // Even while it is being played.
    let second = autosaver(&disk, Autosave::On);
    let before = disk.paths();
    let game = second.look(&name("mine")).expect("it is there");
    assert_eq!(game.session.record().len(), 3, "the start and two moves");
    assert_eq!(disk.paths(), before);
    let missing = second.look(&name("none")).expect_err("no save");
    assert_eq!(missing.to_string(), "There is no save 'none'.");
}

#[test]
fn two_programs_share_the_folder_and_not_a_save() {
    let disk = ModelDisk::default();
    let mut first = autosaver(&disk, Autosave::On);
    let mut second = autosaver(&disk, Autosave::On);
    first.save(&game(played(&["e4"])));
    second.save(&game(played(&["d4"])));
    assert_eq!(names(&disk).len(), 2);
    first
        .save_as(Some(&name("mine")), &game(played(&["e4"])))
        .expect("saved");
    let busy = second.open(&name("mine")).expect_err("busy");
    assert_eq!(
        busy.to_string(),
        "'mine' is being played in another window; close it there first."
    );
    assert!(second.delete(&name("mine")).is_err());
    assert!(
        second
            .save_as(Some(&name("mine")), &game(played(&["d4"])))
            .is_err()
    );
    assert_eq!(
        first.open(&name("mine")).expect_err("own").to_string(),
        "'mine' is the game that is being played, and is saved as it stands."
    );
    assert!(first.delete(&name("mine")).is_err());
    first.release();
    assert_eq!(second.open(&name("mine")).expect("free").session.ply(), 1);
}

#[test]
fn a_full_disk_is_said_while_it_is_full_and_the_game_goes_on() {
    let disk = ModelDisk::default();
    let mut autosaver = autosaver(&disk, Autosave::On);
    autosaver.save(&game(played(&["e4"])));
    disk.fail(0, Fault::Forever(28));
    let Some(SaveNotice::Problem(trouble)) = autosaver.save(&game(played(&["e4", "e5"]))) else {
        panic!("nobody was told")
    };
    let sentence = trouble.to_string();
    assert!(
        sentence.starts_with("The game is not saved: the disk is full: /data/saves/"),
        "{sentence}"
    );
    let again = autosaver.save(&game(played(&["e4", "e5", "Nf3"])));
    assert_eq!(again, Some(SaveNotice::Problem(trouble)), "it lasts");
    assert!(autosaver.has_failed());
    autosaver.save(&game(played(&["e4", "e5", "Nf3", "Nc6"])));
    // Nothing has changed, so there is nothing to say.
    assert_eq!(autosaver.save_again(), None);
    assert!(autosaver.has_failed());
    disk.fail(0, Fault::Forever(30));
    let other = autosaver.save_again().expect("it is said");
    assert!(other.to_string().contains("read-only"), "{other}");
    disk.fail(usize::MAX, Fault::Short);
    let told = autosaver.save_again();
    assert_eq!(
        told.expect("it is said").to_string(),
        "The game is saved again."
    );
    assert!(!autosaver.has_failed());
    assert_eq!(autosaver.save_again(), None);
    // It is on the disk, even if the program dies now.
    let found = store(&disk.restarted())
        .find(&name("game-2026-11-15-204502"))
        .expect("there");
    assert_eq!(found.copy.game.session.ply(), 4);
    autosaver.release();
    let found = store(&disk)
        .find(&name("game-2026-11-15-204502"))
        .expect("there");
    assert_eq!(found.copy.game.session.ply(), 4);
}

#[test]
fn without_a_folder_the_game_goes_on() {
    let now = || Now {
        date: String::new(),
        name: "x".to_owned(),
    };
    let mut autosaver: Autosaver<ModelDisk> =
        Autosaver::with_store(Err(NoHomeFolder), Autosave::On, now);
    let told = autosaver.save(&game(played(&["e4"])));
    assert_eq!(
        told.expect("it is said").to_string(),
        "The game is not saved: There is no home folder, so nothing can be kept: set HOME to one (an absolute path). \
         You can continue anyway."
    );
    assert_eq!(autosaver.save(&game(played(&["e4", "e5"]))), None);
    assert!(
        autosaver.open(&name("x")).is_err()
            && autosaver.open_latest().is_err()
            && autosaver.store().is_err()
    );
    assert_eq!(autosaver.release(), None);
}

#[test]
fn the_latest_game_that_is_not_over_is_resumed() {
    let disk = ModelDisk::default();
    let mut autosaver = autosaver(&disk, Autosave::On);
    let none = autosaver.open_latest().expect_err("nothing");
    assert_eq!(none.to_string(), "There is no game to resume.");
    let mut over = played(&["e4"]);
    over.apply(
        Command::Resign(tabiya_rules::Color::Black),
        Timestamp::ORIGIN,
    )
    .expect("it can");
    autosaver
        .save_as(Some(&name("over")), &game(over.clone()))
        .expect("saved");
    autosaver.release();
    assert_eq!(
        autosaver.open_latest().expect_err("over"),
        SaveError::AllOver
    );
    autosaver
        .save_as(Some(&name("open")), &game(played(&["d4", "d5"])))
        .expect("saved");
    autosaver.release();
    autosaver
        .save_as(Some(&name("later")), &game(over))
        .expect("saved");
    autosaver.release();
    let (opened, warning) = autosaver.open_latest().expect("one");
    assert_eq!((opened.session.ply(), warning), (2, None));
    assert_eq!(autosaver.name(), Some(&name("open")));
}

#[test]
fn deleted_games_are_in_the_trash() {
    let disk = ModelDisk::default();
    let mut autosaver = autosaver(&disk, Autosave::On);
    for _ in 0..2 {
        autosaver
            .save_as(Some(&name("mine")), &game(played(&["e4"])))
            .expect("saved");
        autosaver.release();
        let sentence = autosaver
            .delete(&name("mine"))
            .expect("deleted")
            .to_string();
        assert!(
            sentence.starts_with("'mine' is in the trash now: /data/trash/mine."),
            "{sentence}"
        );
    }
    assert_eq!(names(&disk), Vec::<String>::new());
    let trash = Path::new("/data/trash");
    assert_eq!(
        disk.paths()
            .iter()
            .filter(|path| path.starts_with(trash))
            .count(),
        2
    );
    let missing = autosaver.delete(&name("mine")).expect_err("gone");
    assert_eq!(missing.to_string(), "There is no save 'mine'.");
}

#[test]
fn a_long_journal_becomes_pgn_on_the_way() {
    let disk = ModelDisk::default();
    let mut autosaver = autosaver(&disk, Autosave::On);
    let mut session = played(&["e4"]);
    let long = "x".repeat(100_000);
    let node = Some(session.record().cursor().id());
    let comment = Command::Comment { node, text: long };
    session
        .apply(comment, Timestamp::ORIGIN)
        .expect("a comment");
    for number in 0..40 {
        assert_eq!(autosaver.save(&game(session.clone())), None, "{number}");
        let journal = disk.bytes(Path::new("/data/saves/game-2026-11-15-204502.journal"));
        assert!(journal.is_none_or(|bytes| bytes.len() < 600_000));
    }
}

#[test]
fn a_game_takes_the_place_of_a_save_and_never_of_the_one_that_is_played() {
    let disk = ModelDisk::default();
    let mut autosaver = autosaver(&disk, Autosave::On);
    autosaver
        .save_as(Some(&name("mine")), &game(played(&["e4"])))
        .expect("saved");
    let other = game(played(&["d4", "d5"]));
    let refused = autosaver.save_over(&name("mine"), &other);
    assert_eq!(refused, Err(SaveError::NotReplaced(name("mine"))));
    autosaver.release();
    let saved = autosaver
        .save_over(&name("mine"), &other)
        .expect("it is free");
    assert_eq!(saved.to_string(), "Saved as mine.");
    let found = store(&disk).find(&name("mine")).expect("there");
    assert_eq!(found.copy.game.session.ply(), 2);
    assert_eq!(names(&disk), ["mine"]);
    assert!(autosaver.save_over(&name("other"), &other).is_err());
}

#[test]
fn every_game_that_is_not_kept_says_so() {
    let disk = ModelDisk::default();
    let mut autosaver = autosaver(&disk, Autosave::On);
    disk.fail(0, Fault::Forever(28));
    for _ in 0..2 {
        let remark = autosaver.save(&game(played(&["e4"])));
        assert!(matches!(remark, Some(SaveNotice::Problem(_))), "{remark:?}");
        autosaver.release();
    }
}

/// A program that is killed while a side thinks does not give the time back, and saving it does not wait for the disk.
#[test]
fn the_time_on_a_running_clock_survives_a_kill() {
    let at = |seconds: u64| Timestamp::from_millis(1000 * seconds);
    let control = "5+3".parse().expect("a clock");
    let mut session = Session::new(NewGame::default().with_clock(&control));
    let thinks = |session: &mut Session, seconds: u64| {
        session
            .apply(Command::Tick, at(seconds))
            .expect("time passes");
        game(session.clone())
    };
    let disk = ModelDisk::default();
    let mut autosaver = autosaver(&disk, Autosave::On);
    assert_eq!(autosaver.save_clock(&thinks(&mut session, 0)), None);
    assert_eq!(
        names(&disk),
        Vec::<String>::new(),
        "there is nothing to lose"
    );
    session.apply(Command::play("e4"), at(10)).expect("legal");
    autosaver.save(&game(session.clone()));
    let syncs = |disk: &ModelDisk| {
        disk.calls()
            .iter()
            .filter(|call| call.contains("sync"))
            .count()
    };
    let before = syncs(&disk);
    for seconds in 11..=40 {
        assert_eq!(autosaver.save_clock(&thinks(&mut session, seconds)), None);
    }
    assert_eq!(syncs(&disk), before);
    let left = |disk: &ModelDisk| {
        let found = store(disk).find(&name("game-2026-11-15-204502"));
        let session = found.expect("there").copy.game.session;
        session
            .clock(Timestamp::ORIGIN)
            .left
            .black
            .expect("a limit")
            .as_secs()
    };
    assert_eq!(left(&disk.restarted()), 270);
    // The next move is on the disk again, with the time that it took.
    session.apply(Command::play("e5"), at(41)).expect("legal");
    autosaver.save(&game(session.clone()));
    assert!(syncs(&disk) > before);
    for after in disk.after_power_cut() {
        assert_eq!(left(&after), 272);
    }
    autosaver.release();
    assert_eq!(left(&disk), 272);
}
