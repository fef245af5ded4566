//! Texts in new files, and in place of others.

use std::fs;
use std::path::PathBuf;

use super::{NotWritten, replace, write_new};

/// A folder that is removed at the end of the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("tabiya-text-file-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).expect("a folder can be made");
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_file_is_never_overwritten_without_a_word_and_then_replaced_whole() {
    let folder = Folder::new("replace");
    let path = folder.0.join("game.pgn");
    let said = write_new(&path, "one").expect("it is new");
    assert_eq!(said.to_string(), format!("Written to {}.", path.display()));
    assert_eq!(write_new(&path, "two"), Err(NotWritten::Exists));
    assert_eq!(fs::read_to_string(&path).expect("it is there"), "one");
    replace(&path, "three").expect("it can be replaced");
    assert_eq!(fs::read_to_string(&path).expect("it is there"), "three");
    let names = fs::read_dir(&folder.0).expect("a folder").count();
    assert_eq!(names, 1, "nothing else is left behind");
}

#[test]
fn what_is_in_the_way_is_said_without_numbers() {
    let folder = Folder::new("way");
    let because = |path: PathBuf| match write_new(&path, "x") {
        Err(NotWritten::Because(error)) => error.to_string(),
        other => panic!("{other:?}"),
    };
    let sentence = because(folder.0.clone());
    assert!(sentence.ends_with(": it is a folder."), "{sentence}");
    let sentence = because(folder.0.join("missing").join("game.pgn"));
    assert!(
        sentence.ends_with(": there is no such file or folder."),
        "{sentence}"
    );
}

#[cfg(unix)]
#[test]
fn a_link_goes_on_leading_to_the_file_that_is_replaced() {
    let folder = Folder::new("link");
    let (file, link) = (folder.0.join("game.pgn"), folder.0.join("link.pgn"));
    write_new(&file, "one").expect("it is new");
    std::os::unix::fs::symlink(&file, &link).expect("a link can be made");
    replace(&link, "two").expect("it can be replaced");
    assert!(link.is_symlink());
    assert_eq!(fs::read_to_string(&file).expect("it is there"), "two");
}
