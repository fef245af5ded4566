//! Saves that were cut, flipped, padded or replaced: nothing panics, the others are listed, and no byte is lost.

use std::path::{Path, PathBuf};

use tabiya_rules::SplitMix64;

use super::games::{game, name, played, store};
use crate::disk::model::ModelDisk;
use crate::open_save::OpenSave;
use crate::save_file::{self, Unreadable};
use crate::store::SaveError;

const PGN: &str = "/data/saves/game.pgn";
const JOURNAL: &str = "/data/saves/game.journal";

fn text(number: u64, moves: &[&str]) -> String {
    save_file::save_text(&game(played(moves)), number, "2026.11.15")
}

/// Opens a damaged save, plays on if possible, and checks that its bytes still exist somewhere.
#[track_caller]
fn survive(path: &str, bytes: &[u8], whole: &[u8], beside: Option<(&str, &[u8])>) {
    let disk = ModelDisk::default();
    disk.put(Path::new(path), bytes);
    if let Some((path, bytes)) = beside {
        disk.put(Path::new(path), bytes);
    }
    disk.put(
        Path::new("/data/saves/other.pgn"),
        text(1, &["d4"]).as_bytes(),
    );
    let store = store(&disk);
    let listed = store.list().expect("the list");
    assert!(listed.iter().any(|one| one.name.as_str() == "other"));
    let _ = store.peek(&name("game"));
    store.peek(&name("other")).expect("it is whole");
    if let Ok((mut kept, _)) = OpenSave::open(&store, &name("game")) {
        kept.write_change(&game(played(&["c4"])), "").expect("kept");
        kept.write_pgn().expect("kept");
        drop(kept);
        store.peek(&name("game")).expect("it is whole again");
    }
    if bytes != whole && !bytes.is_empty() {
        assert!(disk.holds(bytes), "{:?}", String::from_utf8_lossy(bytes));
    }
}

#[test]
fn every_byte_of_a_save_can_be_cut_or_flipped() {
    let whole = text(2, &["e4", "e5", "Nf3"]).into_bytes();
    for at in 0..whole.len() {
        survive(PGN, &whole[..at], &whole, None);
        for bit in [0x01, 0x20, 0x80, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] ^= bit;
            survive(PGN, &bytes, &whole, None);
        }
    }
}

/// Returns two entries of a journal, and the PGN file from before them.
fn journal() -> (Vec<u8>, usize, Vec<u8>) {
    let first = save_file::journal_entry(&text(3, &["e4", "e5"]));
    let second = save_file::journal_entry(&text(4, &["e4", "e5", "Nf3"]));
    let old = text(2, &["e4"]).into_bytes();
    (format!("{first}{second}").into_bytes(), first.len(), old)
}

#[test]
fn every_byte_of_a_journal_can_be_flipped() {
    let (whole, second_at, old) = journal();
    for at in 0..whole.len() {
        for bit in [0x01, 0x02, 0x04, 0x08, 0x20, 0x80, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] ^= bit;
            survive(JOURNAL, &bytes, &whole, Some((PGN, &old)));
            survive(JOURNAL, &bytes, &whole, None);
            // Whatever is in the second entry, the first one and the PGN file are whole.
            let disk = ModelDisk::default();
            disk.put(Path::new(JOURNAL), &bytes);
            disk.put(Path::new(PGN), &old);
            let found = store(&disk).find(&name("game")).expect("an older copy");
            let number = if at < second_at { 2 } else { 3 };
            assert_eq!(found.copy.number, number, "byte {at}");
        }
    }
}

/// A program that dies while it writes an entry leaves the beginning of that entry. It was never reported as saved, so
/// it does not make a good save a damaged one.
#[test]
fn only_a_torn_last_entry_is_passed_over_in_silence() {
    let (whole, second_at, old) = journal();
    let resume = |bytes: &[u8]| {
        let disk = ModelDisk::default();
        disk.put(Path::new(JOURNAL), bytes);
        disk.put(Path::new(PGN), &old);
        let store = store(&disk);
        let (mut kept, _) = OpenSave::open(&store, &name("game")).expect("an older copy");
        let number = store.find(&name("game")).expect("the same").copy.number;
        kept.write_change(&game(played(&["c4"])), "").expect("kept");
        let aside = |path: &PathBuf| path.starts_with("/data/damaged");
        (number, disk.paths().iter().any(aside))
    };
    for at in 0..whole.len() {
        let number = if at < second_at { 2 } else { 3 };
        assert_eq!(resume(&whole[..at]), (number, false), "cut at byte {at}");
        // If nothing else is left of the game, the torn entry is set aside.
        if at > 0 && at != second_at {
            survive(JOURNAL, &whole[..at.min(second_at - 1)], &whole, None);
        }
    }
    let (first, second) = whole.split_at(second_at);
    for strange in [
        [first, &second[..second.len() - 3], second].concat(),
        [&first[..first.len() - 1], second].concat(),
        [first, b"%tabiya-journal 0123456789abcdef 12x".as_slice()].concat(),
        [first, b"%tabiya-journal 0123456789abcdeg 12"].concat(),
        [first, b"%tabiya-journal 0123456789abcdef12"].concat(),
        [
            first,
            b"%tabiya-journal 0123456789abcdef 5\n[Event \"?\"]\n",
        ]
        .concat(),
        [first, b"\0\0"].concat(),
        [&whole, b"\0".as_slice()].concat(),
    ] {
        assert!(resume(&strange).1, "{}", String::from_utf8_lossy(&strange));
    }
}

#[test]
fn an_empty_journal_is_no_game() {
    let disk = ModelDisk::default();
    disk.put(Path::new(JOURNAL), b"");
    let store = store(&disk);
    let missing = SaveError::Missing(name("game"));
    assert_eq!(store.peek(&name("game")).expect_err("no game"), missing);
    assert_eq!(
        OpenSave::open(&store, &name("game")).expect_err("no game"),
        missing
    );
    let mut kept = OpenSave::create(&store, &name("game")).expect("the name is free");
    kept.write_change(&game(played(&["e4"])), "").expect("kept");
    assert_eq!(store.find(&name("game")).expect("kept").copy.number, 1);
}

#[test]
fn tails_and_anything_at_all() {
    let whole = text(2, &["e4", "e5", "Nf3"]).into_bytes();
    let mut random = SplitMix64::new(5);
    for _ in 0..500 {
        let mut bytes = if random.below(2) == 0 {
            whole.clone()
        } else {
            Vec::new()
        };
        bytes.extend((0..random.below(300)).map(|_| random.below(256) as u8));
        survive(PGN, &bytes, &whole, None);
        survive(JOURNAL, &bytes, &whole, None);
    }
    survive(PGN, b"", &whole, None);
    survive(JOURNAL, b"", &whole, None);
    survive(PGN, &vec![0; 1 << 16], &whole, None);
}

#[test]
fn a_damaged_save_is_set_aside_and_named() {
    let disk = ModelDisk::default();
    let bad = b"[Event \"x\"]\n\n1. e4 e5 2. Ke3 *\n";
    disk.put(Path::new(PGN), bad);
    let store = store(&disk);
    let trouble = OpenSave::open(&store, &name("game")).expect_err("it is damaged");
    let SaveError::Unreadable {
        aside: Some(path), ..
    } = &trouble
    else {
        panic!("{trouble}")
    };
    assert_eq!(disk.bytes(path).as_deref(), Some(&bad[..]));
    let sentence = trouble.to_string();
    assert!(
        sentence.starts_with("'game' cannot be read: "),
        "{sentence}"
    );
    assert!(
        sentence.contains("It was set aside as /data/damaged/game."),
        "{sentence}"
    );
    assert_eq!(store.list(), Ok(vec![]));
    assert!(!sentence.contains(".."), "{sentence}");
    // The name is free again, and the next damaged save gets another place.
    disk.put(Path::new(PGN), b"\xff");
    OpenSave::open(&store, &name("game")).expect_err("it is damaged");
    assert_eq!(disk.paths().len(), 2);
}

#[test]
fn what_a_newer_version_wrote_is_left_alone() {
    let newer = text(2, &["e4"]).replace("TabiyaSave \"1 ", "TabiyaSave \"2 ");
    let disk = ModelDisk::default();
    disk.put(Path::new(PGN), newer.as_bytes());
    let store = store(&disk);
    let trouble = OpenSave::open(&store, &name("game")).expect_err("it is newer");
    assert!(
        matches!(
            &trouble,
            SaveError::Unreadable {
                why: Unreadable::Newer(2),
                aside: None,
                ..
            }
        ),
        "{trouble}"
    );
    assert!(trouble.to_string().contains("newer version"), "{trouble}");
    assert_eq!(
        disk.bytes(Path::new(PGN)).as_deref(),
        Some(newer.as_bytes())
    );
}

#[test]
fn games_from_elsewhere_can_be_played_on_and_the_file_is_kept() {
    let disk = ModelDisk::default();
    let foreign = b"[White \"Morphy\"]\n\n1. e4 e5 *\n";
    disk.put(Path::new(PGN), foreign);
    let store = store(&disk);
    let (mut kept, mut game) = OpenSave::open(&store, &name("game")).expect("it is a game");
    assert_eq!(game.session.ply(), 2);
    assert_eq!(
        store
            .peek(&name("game"))
            .expect("it is there")
            .names
            .white
            .as_deref(),
        Some("Morphy")
    );
    let now = tabiya_game::Timestamp::ORIGIN;
    game.session
        .apply(tabiya_game::Command::play("Nf3"), now)
        .expect("legal");
    kept.write_change(&game, "").expect("kept");
    assert_eq!(store.find(&name("game")).expect("there").copy.game, game);
    assert!(disk.holds(foreign), "the file as it was is kept aside");

    disk.put(Path::new("/data/saves/two.pgn"), b"1. e4 *\n\n1. d4 *\n");
    let trouble = OpenSave::open(&store, &name("two")).expect_err("two games");
    assert!(trouble.to_string().contains("several games"), "{trouble}");
}

/// Replays the seeds of fuzzing, and what it found.
#[test]
fn the_fuzz_corpus_holds() {
    test_suites::replay("save_file", fuzz_properties::save_file);
    let mut random = SplitMix64::new(11);
    let whole = text(2, &["e4", "e5", "Nf3"]).into_bytes();
    for _ in 0..3000 {
        let mut bytes = whole.clone();
        for _ in 0..=random.below(4) {
            let at = random.below(bytes.len());
            bytes[at] = random.below(256) as u8;
        }
        fuzz_properties::save_file(&bytes);
    }
}
