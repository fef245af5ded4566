//! Shares that were built separately and merged are the same as a database built at once.

use std::fs;
use std::path::PathBuf;

use tabiya_db::{Builder, Database, DbError, MergeFault, merge_shares};

use crate::support::{Scratch, build, contents, games, options};

#[test]
fn four_shares_are_one_database() {
    let scratch = Scratch::new();
    let (file, whole) = (scratch.path("games.pgn"), scratch.path("whole"));
    fs::write(&file, games(21, 800)).expect("a file");
    let mut all = options();
    all.full = true;
    let built = build(&whole, &file, all.clone()).expect("a database");
    let share = |number: u32| {
        let folder = scratch.path(&format!("share-{number}"));
        let mut options = all.clone();
        options.share = format!("{number}/4").parse().expect("a share");
        build(&folder, &file, options).expect("a share");
        folder
    };
    let shares: Vec<PathBuf> = (1..=4).map(share).collect();
    let merged = scratch.path("merged");

    let missing = merge_shares(&merged, &shares[..3]).expect_err("one is missing");
    assert!(
        missing.to_string().contains("share 4/4 is missing"),
        "{missing}"
    );
    let twice = merge_shares(&merged, &[shares[0].clone(), shares[0].clone()]);
    assert!(matches!(
        twice,
        Err(DbError::Merge {
            why: MergeFault::Twice(_),
            ..
        })
    ));
    let not_one = merge_shares(&merged, &[shares[0].clone(), whole.clone()]);
    assert!(matches!(not_one, Err(DbError::Merge { .. })));
    assert!(Database::open(&merged).is_err());

    let mut shuffled = shares.clone();
    shuffled.reverse();
    assert_eq!(
        merge_shares(&merged, &shuffled).expect("a database"),
        built.games
    );
    assert!(contents(&whole) == contents(&merged), "byte for byte");
    Database::open(&merged)
        .expect("a database")
        .check()
        .expect("whole");

    let alone = Builder::extend(&shares[0], Vec::new(), options());
    assert!(matches!(alone, Err(DbError::Share { .. })));
}

#[test]
fn whole_databases_are_joined_too() {
    let scratch = Scratch::new();
    let (one, two) = (games(22, 300), games(23, 300));
    let both = scratch.path("both.pgn");
    fs::write(&both, format!("{one}{two}{one}")).expect("a file");
    build(&scratch.path("both"), &both, options()).expect("a database");
    for (name, text) in [("one", &one), ("two", &two)] {
        let file = scratch.path(&format!("{name}.pgn"));
        fs::write(&file, text).expect("a file");
        build(&scratch.path(name), &file, options()).expect("a database");
    }
    let folders = [
        scratch.path("one"),
        scratch.path("two"),
        scratch.path("one"),
    ];
    let mut builder =
        Builder::merge(&scratch.path("joined"), &folders, options()).expect("a builder");
    builder.read_bases(&mut |_, _| {}).expect("games");
    builder.finish(&|_, _| {}).expect("a database");
    let tables = |folder: &str| {
        let mut files = contents(&scratch.path(folder));
        // The games name other files as their sources.
        files.retain(|name, _| !name.starts_with("games"));
        files
    };
    assert!(tables("both") == tables("joined"));
}
