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
        // The system says so of a file that is written, and this program of one that is read.
        ErrorKind::FileTooLarge if error.raw_os_error().is_some() => {
            "the limit on the size of files is reached"
        }
        ErrorKind::FileTooLarge => "the file is too large",
        _ if is_out_of_files(error) => "too many files are open; the limit is that of ulimit -n",
        _ => return without_number(error.to_string()),
    };
    known.to_owned()
}

/// Whether the program or the whole system has as many files open as it may.
fn is_out_of_files(error: &io::Error) -> bool {
    #[cfg(unix)]
    {
        use rustix::io::Errno;
        let code = error.raw_os_error();
        [Errno::MFILE, Errno::NFILE]
            .iter()
            .any(|full| code == Some(full.raw_os_error()))
    }
    #[cfg(not(unix))]
    {
        let _ = error;
        false
    }
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
