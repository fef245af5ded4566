//! A new file is complete or not there, and replaces no other.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::disk::NewFile;

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tabiya-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn names(folder: &Path) -> Vec<OsString> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries
        .map(|entry| entry.expect("an entry").file_name())
        .collect()
}

#[test]
fn it_has_its_name_only_when_it_is_whole() {
    let folder = folder("whole");
    let path = folder.join("games.pgn");
    let mut file = NewFile::begin(&path).expect("a file");
    file.write_all(b"one ").expect("written");
    file.write_all(b"two").expect("written");
    assert!(!path.exists());
    file.finish().expect("finished");
    assert_eq!(fs::read_to_string(&path).expect("a text"), "one two");
    assert_eq!(names(&folder), ["games.pgn"]);
    fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn what_is_not_finished_leaves_nothing_behind() {
    let folder = folder("unfinished");
    let mut file = NewFile::begin(&folder.join("games.pgn")).expect("a file");
    file.write_all(b"one").expect("written");
    drop(file);
    assert!(names(&folder).is_empty());
    fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn nothing_is_written_over() {
    let folder = folder("taken");
    let path = folder.join("games.pgn");
    // The name is taken before the file is started, or while it is written.
    fs::write(&path, "mine").expect("written");
    let error = NewFile::begin(&path).expect_err("it is taken");
    assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
    fs::remove_file(&path).expect("removed");
    let file = NewFile::begin(&path).expect("a file");
    fs::write(&path, "mine").expect("written");
    let error = file.finish().expect_err("it is taken");
    assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
    assert_eq!(fs::read_to_string(&path).expect("a text"), "mine");
    assert_eq!(names(&folder), ["games.pgn"]);
    fs::remove_dir_all(&folder).expect("removed");
}
