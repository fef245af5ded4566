//! Interrupted builds resume, and the old database stays whole until the new one is complete.

use std::fs;

use tabiya_db::{Builder, Database, DbError, SourceFile};

use crate::support::{Scratch, build, contents, extend, games, options, read};

#[test]
fn an_interrupted_build_goes_on_where_it_ended() {
    let scratch = Scratch::new();
    let (file, folder) = (scratch.path("games.pgn"), scratch.path("db"));
    fs::write(&file, games(11, 9000)).expect("a file");
    let whole = scratch.path("whole");
    build(&whole, &file, options()).expect("a database");

    let mut little = options();
    little.memory = 0;
    let source = || vec![SourceFile::new(&file, &file.to_string_lossy()).expect("a source")];
    let mut builder = Builder::create(&folder, source(), little.clone()).expect("a builder");
    assert!(!builder.is_resumed());
    read(&mut builder, &file, 6000).expect("half of the games");
    drop(builder);
    assert!(matches!(
        Database::open(&folder),
        Err(DbError::NotADatabase(_))
    ));

    let builder = Builder::create(&folder, source(), little.clone()).expect("a builder");
    assert!(builder.is_resumed(), "what was sorted is used again");
    drop(builder);
    build(&folder, &file, little).expect("a database");
    assert!(contents(&whole) == contents(&folder));
    assert!(!folder.join("building").exists());
}

#[test]
fn a_build_of_something_else_is_not_mixed_with_it() {
    let scratch = Scratch::new();
    let (one, two, folder) = (
        scratch.path("one.pgn"),
        scratch.path("two.pgn"),
        scratch.path("db"),
    );
    fs::write(&one, games(12, 50)).expect("a file");
    fs::write(&two, games(13, 50)).expect("a file");
    let source = SourceFile::new(&one, "one").expect("a source");
    drop(Builder::create(&folder, vec![source], options()).expect("a builder"));
    assert!(matches!(
        build(&folder, &two, options()),
        Err(DbError::Unfinished(_))
    ));
    let mut restart = options();
    restart.restart = true;
    assert_eq!(build(&folder, &two, restart).expect("a database").read, 50);
    assert!(matches!(
        build(&folder, &two, options()),
        Err(DbError::Exists(_))
    ));
}

#[test]
fn only_one_builds_at_a_time_and_only_in_a_folder_of_its_own() {
    let scratch = Scratch::new();
    let (file, folder) = (scratch.path("games.pgn"), scratch.path("db"));
    fs::write(&file, games(14, 20)).expect("a file");
    let source = || vec![SourceFile::new(&file, "games").expect("a source")];
    let first = Builder::create(&folder, source(), options()).expect("a builder");
    assert!(matches!(
        Builder::create(&folder, source(), options()),
        Err(DbError::Busy(_))
    ));
    drop(first);
    let home = scratch.path("home");
    fs::create_dir_all(&home).expect("a folder");
    fs::write(home.join("letter.txt"), "mine").expect("a file");
    assert!(matches!(
        Builder::create(&home, source(), options()),
        Err(DbError::NotEmpty(_))
    ));
    assert_eq!(fs::read_dir(&home).expect("a folder").count(), 1);
}

#[test]
fn what_a_finished_build_could_not_remove_is_no_hindrance() {
    let scratch = Scratch::new();
    let (one, two, folder) = (
        scratch.path("one.pgn"),
        scratch.path("two.pgn"),
        scratch.path("db"),
    );
    fs::write(&one, games(15, 60)).expect("a file");
    fs::write(&two, games(16, 60)).expect("a file");
    build(&folder, &one, options()).expect("a database");
    // As if it had been killed after the manifest was written and before its work was removed.
    let source = SourceFile::new(&two, &two.to_string_lossy()).expect("a source");
    drop(Builder::extend(&folder, vec![source], options()).expect("a builder"));
    let state = folder.join("building/state.json");
    let text = fs::read_to_string(&state).expect("a state");
    extend(&folder, &two, options()).expect("a database");
    fs::create_dir_all(folder.join("building")).expect("a folder");
    fs::write(&state, text).expect("a state");
    fs::write(folder.join(".manifest.json.1.part"), "{").expect("a draft");

    let again = extend(&folder, &one, options()).expect("a database");
    assert_eq!(again.games, again.before);
    let mut left: Vec<String> = fs::read_dir(&folder)
        .expect("a folder")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    left.sort();
    assert_eq!(left, ["data-3", "manifest.json"]);
}
