//! Every public type can go to another thread and be shared with it.

use crate::disk::SystemDisk;
use crate::*;

fn both<T: Send + Sync>() {}

#[test]
fn every_public_type_is_send_and_sync() {
    both::<Autosave>();
    both::<SaveKind>();
    both::<NameError>();
    both::<SaveRemark>();
    both::<SaveNotice>();
    both::<SaveError>();
    both::<ExternalChange>();
    both::<SaveProblem>();
    both::<disk::FileFault>();
    both::<disk::model::Fault>();
    both::<text_file::NotWritten>();
    both::<Autosaver<SystemDisk>>();
    both::<SaveEntry>();
    both::<SaveName>();
    both::<Saved>();
    both::<Store<SystemDisk>>();
    both::<Summary>();
    both::<Trashed>();
    both::<SystemDisk>();
    both::<disk::FileError>();
    both::<disk::FileLock>();
    both::<disk::NewFile<SystemDisk>>();
    both::<disk::model::ModelDisk>();
    both::<disk::model::ModelLock>();
    both::<paths::Folders>();
    both::<paths::NoHomeFolder>();
    both::<text_file::Written>();
}

#[test]
fn no_public_type_is_left_out() {
    let left_out = test_suites::unlisted_types("store", include_str!("send_sync.rs"));
    assert!(left_out.is_empty(), "not in the list above: {left_out:?}");
}
