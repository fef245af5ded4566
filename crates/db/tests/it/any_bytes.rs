//! Replays the corpora of the fuzz targets, and tries manifests and tables with random bytes changed.

use std::fs;

use tabiya_rules::SplitMix64;

use crate::support::{Scratch, build, games, options};

#[test]
fn the_corpus_holds() {
    test_suites::replay("db_manifest", fuzz_properties::db_manifest);
    test_suites::replay("db_part", fuzz_properties::db_part);
}

#[test]
fn changed_manifests_are_refused_or_read() {
    let scratch = Scratch::new();
    let (file, folder) = (scratch.path("games.pgn"), scratch.path("db"));
    fs::write(&file, games(41, 20)).expect("a file");
    build(&folder, &file, options()).expect("a database");
    let text = fs::read(folder.join("manifest.json")).expect("a manifest");
    fuzz_properties::db_manifest(&text);
    let mut random = SplitMix64::new(41);
    for _ in 0..2000 {
        let mut changed = text.clone();
        for _ in 0..=random.below(4) {
            let at = random.below(changed.len());
            changed[at] = random.next_u64() as u8;
        }
        fuzz_properties::db_manifest(&changed);
    }
}

/// Whoever changes a database can make its checksums again.
#[test]
fn tables_that_were_changed_together_with_their_checksums_are_refused_or_read() {
    fuzz_properties::db_part(&[0]);
    let mut random = SplitMix64::new(43);
    for number in 0..size() {
        let changes = 1 + number % 3;
        let bytes: Vec<u8> = (0..=3 * changes).map(|_| random.next_u64() as u8).collect();
        fuzz_properties::db_part(&bytes);
    }
}

/// How many changes are tried.
fn size() -> usize {
    let size = std::env::var("TABIYA_DB_CHANGES");
    size.map_or(300, |size| size.parse().expect("a number"))
}
