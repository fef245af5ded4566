//! Replays the corpus of the fuzz target, and tries manifests with random bytes changed.

use std::fs;

use tabiya_rules::SplitMix64;

use crate::support::{Scratch, build, games, options};

#[test]
fn the_corpus_holds() {
    test_suites::replay("db_manifest", fuzz_properties::db_manifest);
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
