//! What went wrong with a file, in words for the person whose file it is. Every sentence about a file comes from here.

use std::io::{self, ErrorKind};
use std::path::Path;

use crate::paths;

/// What the system says, in plain words where they are known, and never with its number for it.
pub fn why(error: &io::Error) -> String {
    let known = match error.kind() {
        ErrorKind::AlreadyExists => "there is something of that name already",
        ErrorKind::NotFound => "there is no such file or folder",
        ErrorKind::PermissionDenied => "permission is denied",
        ErrorKind::IsADirectory => "it is a folder",
        ErrorKind::NotADirectory => "a part of the path is not a folder",
        ErrorKind::StorageFull => "the disk is full",
        ErrorKind::ReadOnlyFilesystem => "the disk is read-only",
        ErrorKind::InvalidFilename => "that is no name for a file",
        ErrorKind::FileTooLarge => "the file is too large",
        _ => return without_number(error.to_string()),
    };
    known.to_owned()
}

fn without_number(mut words: String) -> String {
    if let Some(at) = words.find(" (os error ") {
        words.truncate(at);
    }
    words
}

/// A whole sentence about a file.
pub fn sentence(path: &Path, error: &io::Error) -> String {
    format!("{}: {}.", paths::shown(path), why(error))
}
