//! Paths with a tilde, and completion.

use std::path::Path;

use super::{beginning_with, from_home, home, shown};

#[test]
fn files_and_folders_by_their_beginning() {
    let folder = std::env::temp_dir().join(format!("tabiya-paths-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("games")).expect("a folder");
    for name in ["game one.pgn", "gambit.pgn", ".hidden", "other\u{7}.pgn"] {
        std::fs::write(folder.join(name), "").expect("a file");
    }
    let folder = format!("{}/", folder.display());
    let names = |begun: &str| -> Vec<String> {
        let found = beginning_with(&format!("{folder}{begun}"));
        let inside = found.iter().map(|path| path.replacen(&folder, "", 1));
        inside.collect()
    };
    assert_eq!(names(""), ["gambit.pgn", "game one.pgn", "games/"]);
    assert_eq!(names("game"), ["game one.pgn", "games/"]);
    assert_eq!(names("game o"), ["game one.pgn"]);
    assert_eq!(names("."), [".hidden"]);
    assert_eq!(names("zzz"), Vec::<String>::new());
    assert_eq!(beginning_with("/no/such/folder/x"), Vec::<String>::new());
    std::fs::remove_dir_all(folder).expect("it is ours");
}

#[test]
fn a_tilde_is_the_home_folder() {
    let Some(home) = home() else {
        panic!("these tests need a home folder");
    };
    assert_eq!(from_home(Path::new("~/a/b.pgn")), home.join("a/b.pgn"));
    assert_eq!(from_home(Path::new("~")), home);
    for other in ["a/~/b", "~b/c", "/a", "./~"] {
        assert_eq!(from_home(Path::new(other)), Path::new(other));
    }
    assert_eq!(shown(&home.join("a/b.pgn")), "~/a/b.pgn");
    assert_eq!(shown(Path::new("a/b.pgn")), "a/b.pgn");
    assert_eq!(beginning_with("~"), ["~/"]);
    let inside = beginning_with("~/");
    assert!(
        inside.iter().all(|name| name.starts_with("~/")),
        "{inside:?}"
    );
}
