//! Every system call fails in turn, in every way, and the power is cut at every moment. What was
//! acknowledged is there.

use tabiya_game::{Node, Session};

use super::games::{game, name, played, store};
use crate::disk::model::{FAULTS, Fault, ModelDisk};
use crate::open_save::OpenSave;
use crate::save_file::SavedGame;
use crate::store::{SaveError, Store};

/// How much of a game reached the disk.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    /// How many of its states were acknowledged.
    pub(crate) kept: usize,
    /// How many states were given.
    pub(crate) given: usize,
    pub(crate) told: Vec<SaveError>,
}

/// Returns the states of a game that is saved, closed, opened and saved again.
pub(crate) fn states() -> Vec<SavedGame> {
    let moves = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"];
    (0..=moves.len())
        .map(|length| game(played(&moves[..length])))
        .collect()
}

/// Saves a game in two sessions, and goes on whatever fails. `after` sees the progress after each step.
pub(crate) fn keep(disk: &ModelDisk, mut after: impl FnMut(&Progress)) -> Progress {
    let states = states();
    let (first, second) = states.split_at(4);
    let store = Store::new(disk.clone(), "/data".as_ref());
    let mut progress = Progress::default();
    let mut kept = loop {
        match OpenSave::create(&store, &name("game")) {
            Ok(kept) => break kept,
            Err(trouble) if progress.told.len() < 3 => progress.told.push(trouble),
            Err(_) => return progress,
        }
    };
    sit(&mut kept, first, &mut progress, &mut after);
    drop(kept);
    let mut kept = loop {
        match OpenSave::open(&store, &name("game")) {
            Ok((kept, _)) => break kept,
            Err(trouble) if progress.told.len() < 9 => progress.told.push(trouble),
            Err(_) => return progress,
        }
    };
    sit(&mut kept, second, &mut progress, &mut after);
    progress
}

fn sit(
    kept: &mut OpenSave<ModelDisk>,
    states: &[SavedGame],
    progress: &mut Progress,
    after: &mut impl FnMut(&Progress),
) {
    for state in states {
        progress.given += 1;
        match kept.write_change(state, "2026.11.15") {
            Ok(()) => progress.kept = progress.given,
            Err(trouble) => progress.told.push(trouble),
        }
        after(progress);
    }
    match kept.write_pgn() {
        Ok(()) => {}
        Err(trouble) => progress.told.push(trouble),
    }
    after(progress);
}

/// Checks that the next program finds a whole state, at least as late as the last acknowledged one.
#[track_caller]
pub(crate) fn check(disk: &ModelDisk, progress: &Progress, context: &str) {
    let found = store(disk).find(&name("game"));
    match found {
        Ok(found) => {
            let session: &Session = &found.copy.game.session;
            // The date is added when it is saved.
            let at = states()
                .iter()
                .position(|state| same(&state.session, session));
            let at = at.unwrap_or_else(|| panic!("{context}: a game that never was"));
            assert!(
                at + 1 >= progress.kept && at < progress.given,
                "{context}: state {at} of {progress:?}"
            );
        }
        Err(SaveError::Missing(_)) => assert_eq!(progress.kept, 0, "{context}"),
        Err(trouble) => assert_eq!(progress.kept, 0, "{context}: {trouble}"),
    }
}

fn same(a: &Session, b: &Session) -> bool {
    a.record()
        .root()
        .subtree()
        .map(Node::san)
        .eq(b.record().root().subtree().map(Node::san))
}

#[test]
fn every_call_can_fail_in_every_way() {
    let plain = ModelDisk::default();
    let progress = keep(&plain, |_| {});
    assert_eq!((progress.kept, progress.told.len()), (7, 0));
    check(&plain.restarted(), &progress, "nothing fails");
    let calls = plain.calls();
    assert!(calls.len() > 40, "{calls:?}");
    let forever = [28, 5, 30].map(Fault::Forever);
    for (at, call) in calls.iter().enumerate() {
        for fault in FAULTS.into_iter().chain(forever) {
            let disk = ModelDisk::default();
            disk.fail(at, fault);
            let progress = keep(&disk, |_| {});
            let context = format!("{fault:?} at call {at}, {call}");
            check(&disk.restarted(), &progress, &context);
            let lost = progress.kept < progress.given || progress.given < 7;
            assert!(
                !lost || !progress.told.is_empty(),
                "{context}: nobody was told"
            );
            let passing = matches!(fault, Fault::Error(4) | Fault::Short);
            assert!(
                !passing || progress.told.is_empty(),
                "{context}: {:?}",
                progress.told
            );
            assert!(!passing || progress.kept == 7, "{context}");
        }
    }
}

#[test]
fn saving_is_whole_or_was_not_done() {
    let save = |disk: &ModelDisk| {
        let store = Store::new(disk.clone(), "/data".as_ref());
        let mut kept = OpenSave::create(&store, &name("game"))?;
        kept.save_pgn(&game(played(&["e4"])), "")?;
        kept.save_pgn(&game(played(&["e4", "e5"])), "")
    };
    let plain = ModelDisk::default();
    save(&plain).expect("saved");
    for (at, call) in plain.calls().iter().enumerate() {
        for fault in FAULTS {
            let disk = ModelDisk::default();
            disk.fail(at, fault);
            let saved = save(&disk);
            let context = format!("{fault:?} at call {at}, {call}: {saved:?}");
            let found = store(&disk.restarted()).find(&name("game"));
            let plies = found.map(|found| found.copy.game.session.ply());
            match (saved, plies) {
                (Ok(()), Ok(2)) | (Err(_), Ok(1 | 2) | Err(SaveError::Missing(_))) => {}
                (_, plies) => panic!("{context}: {plies:?}"),
            }
        }
    }
}

#[test]
fn one_sync_a_move() {
    let disk = ModelDisk::default();
    let store = Store::new(disk.clone(), "/data".as_ref());
    let mut kept = OpenSave::create(&store, &name("game")).expect("a free name");
    let states = states();
    kept.write_change(&states[0], "").expect("kept");
    for state in &states[1..] {
        let before = disk.calls().len();
        kept.write_change(state, "").expect("kept");
        let calls = disk.calls()[before..].to_vec();
        // Two look-ups of names, which cost nothing, tell whether the journal can be found again.
        let expected = ["write", "sync", "is same file", "holds"];
        assert_eq!(calls.len(), expected.len(), "{calls:?}");
        for (call, expected) in calls.iter().zip(expected) {
            assert!(call.starts_with(expected), "{calls:?}");
        }
    }
}
