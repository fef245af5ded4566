//! The file of a match on a failing disk: what was there stays, and every acknowledged game is in it as a whole.

use std::path::Path;

use tabiya_game::{Record, pgn};
use tabiya_store::disk::model::{FAULTS, Fault, ModelDisk};

use super::Archive;

const EARLIER: &str = "[White \"Somebody\"]\n\n1. d4 d5 *\n";

fn path() -> &'static Path {
    Path::new("/folder/match.pgn")
}

fn games() -> [Record; 3] {
    ["1. e4 e5 *", "1. c4 *", "1. Nf3 d5 2. g3 *"].map(|text| {
        let game = pgn::games(text.as_bytes()).next();
        game.expect("a game").record
    })
}

/// Appends the games, and returns those that were acknowledged, with their offsets.
fn keep(disk: &ModelDisk) -> Vec<(usize, u64)> {
    let Ok(mut archive) = Archive::open_on(disk.clone(), path()) else {
        return Vec::new();
    };
    let games = games();
    let mut kept = Vec::new();
    for (number, game) in games.iter().enumerate() {
        if let Ok(at) = archive.add(game) {
            kept.push((number, at));
        }
    }
    kept
}

/// Every acknowledged game is at its offset, and what was there before is untouched.
#[track_caller]
fn check(after: &ModelDisk, kept: &[(usize, u64)], context: &str) {
    let bytes = after.bytes(path()).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    assert!(text.starts_with(EARLIER), "{context}: {text}");
    for &(number, at) in kept {
        let written = pgn::to_string(&games()[number], pgn::Format::Export);
        assert!(
            bytes[at as usize..].starts_with(written.as_bytes()),
            "{context}: game {number} is not at {at} of {text}"
        );
    }
}

/// Whether a file has only complete games.
fn is_whole(after: &ModelDisk) -> bool {
    let bytes = after.bytes(path()).unwrap_or_default();
    pgn::games(&bytes).all(|game| game.errors.is_empty())
}

fn before() -> ModelDisk {
    let disk = ModelDisk::default();
    disk.put(path(), EARLIER.as_bytes());
    disk
}

#[test]
fn every_call_can_fail_in_every_way() {
    let plain = before();
    assert_eq!(keep(&plain).len(), 3);
    check(&plain.restarted(), &keep(&before()), "nothing fails");
    for (at, call) in plain.calls().iter().enumerate() {
        for fault in FAULTS.into_iter().chain([28, 5].map(Fault::Forever)) {
            let disk = before();
            disk.fail(at, fault);
            let kept = keep(&disk);
            let context = format!("{fault:?} at call {at}, {call}");
            check(&disk.restarted(), &kept, &context);
            match fault {
                // The file is still valid: the partial write was undone.
                Fault::Error(code) => {
                    assert!(is_whole(&disk.restarted()), "{context}");
                    assert!(code != 4 || kept.len() == 3, "{context}");
                }
                Fault::Short => assert_eq!(kept.len(), 3, "{context}"),
                Fault::Death => {
                    for after in disk.after_power_cut() {
                        check(&after, &kept, &context);
                    }
                }
                Fault::Forever(_) => {}
            }
        }
    }
}

#[test]
fn what_could_not_be_taken_back_is_taken_back_later() {
    let disk = before();
    let mut archive = Archive::open_on(disk.clone(), path()).expect("a file");
    let [first, second, _] = games();
    // Half of the game is written, and then nothing works for a while.
    let calls = disk.calls().len();
    disk.fail(calls, Fault::Short);
    archive.add(&first).expect("a short write is gone on with");
    let calls = disk.calls().len();
    disk.fail(calls + 1, Fault::Forever(28));
    archive.add(&second).expect_err("the sync fails");
    disk.fail(usize::MAX, Fault::Short);
    let at = archive.add(&second).expect("the disk works again");
    check(&disk.restarted(), &[(1, at)], "after a while");
    assert!(is_whole(&disk.restarted()));
    assert_eq!(
        pgn::games(&disk.bytes(path()).expect("a file")).count(),
        3,
        "the game is in it once"
    );
}
