//! Every system call fails in turn, in every way, and the power is cut at every moment. A replaced file is the old one
//! or the new one, and a new file is there completely or not at all.

use std::io::Write;
use std::path::Path;

use crate::disk::model::{Fault, ModelDisk, try_all};
use crate::disk::{NewFile, draft_of, replace};

const OLD: &[u8] = b"what was there";
const NEW: &[u8] = b"what was written in its place";

fn path() -> &'static Path {
    Path::new("/folder/file")
}

#[test]
fn a_file_is_replaced_whole_or_left_alone() {
    let before = ModelDisk::default();
    before.put(path(), OLD);
    try_all(
        &before,
        path(),
        |disk| replace(disk, path(), &draft_of(path()), NEW),
        |done, found| match found {
            Some(NEW) => true,
            Some(OLD) => !done,
            _ => false,
        },
    );
}

#[test]
fn a_new_file_is_whole_or_not_there() {
    let write = |disk: &ModelDisk| {
        let mut file = NewFile::begin_on(disk.clone(), path())?;
        let (first, second) = NEW.split_at(5);
        file.write_all(first)?;
        file.write_all(second)?;
        file.finish()
    };
    try_all(
        &ModelDisk::default(),
        path(),
        write,
        |done, found| match found {
            Some(NEW) => true,
            None => !done,
            _ => false,
        },
    );
    // What a dead program with the same process ID left does not get in the way.
    let left = ModelDisk::default();
    left.put(&draft_of(path()), OLD);
    write(&left).expect("written");
    assert_eq!(left.paths(), [path()]);
    // If another program has taken the name, its file stays unchanged.
    let taken = ModelDisk::default();
    taken.put(path(), OLD);
    write(&taken).expect_err("it is taken");
    assert_eq!(taken.bytes(path()).as_deref(), Some(OLD));
}

#[test]
fn what_could_not_be_added_is_not_in_the_file() {
    let disk = ModelDisk::default();
    let mut file = NewFile::begin_on(disk.clone(), path()).expect("a draft");
    file.add("one\n").expect("written");
    // The first half of the second text is written, and then the disk is full.
    let calls = disk.calls().len();
    disk.fail(calls, Fault::Short);
    file.add("two\n").expect("a short write is gone on with");
    disk.fail(disk.calls().len(), Fault::Error(28));
    file.add("three\n").expect_err("the disk is full");
    file.add("four\n").expect("there is room again");
    file.finish().expect("there is room again");
    assert_eq!(
        disk.bytes(path()).as_deref(),
        Some(&b"one\ntwo\nfour\n"[..])
    );
}

#[test]
fn what_failed_leaves_no_draft_behind() {
    let disk = ModelDisk::default();
    // The sync fails after the draft is written.
    disk.fail(4, Fault::Error(28));
    let mut file = NewFile::begin_on(disk.clone(), path()).expect("a draft");
    file.write_all(NEW).expect("written");
    let calls = disk.calls();
    assert_eq!(calls.len(), 4, "{calls:?}");
    file.finish().expect_err("the disk is full");
    assert!(disk.paths().is_empty(), "{:?}", disk.paths());
}
