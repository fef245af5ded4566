//! Every call to the system fails in turn, in every way, and the power goes at every moment: a file that is replaced is
//! the old one or the new one, and a new file is there whole or not at all.

use std::fmt::Debug;
use std::io::Write;
use std::path::Path;

use super::model::{FAULTS, Fault, Model};
use crate::disk::{NewFile, draft_of, replace};

const OLD: &[u8] = b"what was there";
const NEW: &[u8] = b"what was written in its place";

/// What a way of writing may leave behind: whether it said that it was done, and what is in the file.
pub(crate) type Allowed = fn(done: bool, found: Option<&[u8]>) -> bool;

fn path() -> &'static Path {
    Path::new("/folder/file")
}

/// Lets every call of a way of writing a file fail in every way, and the power go after every call.
#[track_caller]
pub(crate) fn try_all<E: Debug>(
    before: &Model,
    path: &Path,
    write: impl Fn(&Model) -> Result<(), E>,
    allowed: Allowed,
) {
    let plain = before.restarted();
    write(&plain).expect("nothing fails");
    let found = plain.bytes(path);
    assert!(allowed(true, found.as_deref()), "{found:?}");
    for (at, call) in plain.calls().iter().enumerate() {
        for fault in FAULTS.into_iter().chain([28, 5].map(Fault::Forever)) {
            let disk = before.restarted();
            disk.fail(at, fault);
            let result = write(&disk);
            let context = format!("{fault:?} at call {at}, {call}: {result:?}");
            let mut left = vec![disk.restarted()];
            if fault == Fault::Death {
                left = disk.after_power_cut();
            }
            for after in left {
                let found = after.bytes(path);
                assert!(
                    allowed(result.is_ok(), found.as_deref()),
                    "{context}: {found:?}"
                );
            }
            if matches!(fault, Fault::Error(4) | Fault::Short) {
                assert!(result.is_ok(), "{context}");
            }
        }
    }
}

#[test]
fn a_file_is_replaced_whole_or_left_alone() {
    let before = Model::default();
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
    let write = |disk: &Model| {
        let mut file = NewFile::begin_on(disk.clone(), path())?;
        let (first, second) = NEW.split_at(5);
        file.write_all(first)?;
        file.write_all(second)?;
        file.finish()
    };
    try_all(
        &Model::default(),
        path(),
        write,
        |done, found| match found {
            Some(NEW) => true,
            None => !done,
            _ => false,
        },
    );
    // What a program left that died, with the same number, is in nobody's way.
    let left = Model::default();
    left.put(&draft_of(path()), OLD);
    write(&left).expect("written");
    assert_eq!(left.paths(), [path()]);
    // Where somebody else has the name, it stays what it is.
    let taken = Model::default();
    taken.put(path(), OLD);
    write(&taken).expect_err("it is taken");
    assert_eq!(taken.bytes(path()).as_deref(), Some(OLD));
}

#[test]
fn what_could_not_be_added_is_not_in_the_file() {
    let disk = Model::default();
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
    let disk = Model::default();
    // The sync fails, after the draft was written.
    disk.fail(4, Fault::Error(28));
    let mut file = NewFile::begin_on(disk.clone(), path()).expect("a draft");
    file.write_all(NEW).expect("written");
    let calls = disk.calls();
    assert_eq!(calls.len(), 4, "{calls:?}");
    file.finish().expect_err("the disk is full");
    assert!(disk.paths().is_empty(), "{:?}", disk.paths());
}
