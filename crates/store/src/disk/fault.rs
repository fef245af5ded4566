//! What went wrong with a file, as a sentence for the user. Every message about a file comes from here.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::paths;

/// What is wrong with a file or folder. The text is in plain words where possible, and never contains the
/// system's error number.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FileFault {
    /// The name is taken.
    #[error("it exists already; choose another name")]
    Exists,
    /// There is no file with that name.
    #[error("there is no such file or folder")]
    Missing,
    /// The user lacks the permission.
    #[error("permission is denied")]
    Denied,
    /// A file was expected.
    #[error("it is a folder")]
    Folder,
    /// A part of the path is not a folder.
    #[error("a part of the path is not a folder")]
    NotAFolder,
    /// A link, in a place where following it would be a risk.
    #[error("it is a link to another place, and a plain file is needed")]
    Link,
    /// A pipe or a device.
    #[error("it is not a plain file")]
    NotPlain,
    /// The disk is full.
    #[error("the disk is full")]
    Full,
    /// The disk is read-only.
    #[error("the disk is read-only")]
    ReadOnly,
    /// The system does not allow such a file name.
    #[error("that is not a valid file name")]
    BadName,
    /// The system's limit on file sizes is reached.
    #[error("the limit on the size of files is reached")]
    SizeLimit,
    /// The file is larger than this program reads.
    #[error("the file is too large")]
    TooLarge,
    /// The program or the system has too many files open.
    #[error("too many files are open; the limit is that of ulimit -n")]
    TooManyOpen,
    /// Anything else, in the words of the code that found it.
    #[error("{0}")]
    Other(String),
}

impl From<&io::Error> for FileFault {
    fn from(error: &io::Error) -> FileFault {
        if let Some(own) = error.get_ref().and_then(|inner| inner.downcast_ref()) {
            return FileFault::clone(own);
        }
        match error.kind() {
            ErrorKind::AlreadyExists => FileFault::Exists,
            ErrorKind::NotFound => FileFault::Missing,
            ErrorKind::PermissionDenied => FileFault::Denied,
            ErrorKind::IsADirectory => FileFault::Folder,
            ErrorKind::NotADirectory => FileFault::NotAFolder,
            ErrorKind::StorageFull => FileFault::Full,
            ErrorKind::ReadOnlyFilesystem => FileFault::ReadOnly,
            ErrorKind::InvalidFilename => FileFault::BadName,
            // The system reports this for a file being written, and this program for one being read.
            ErrorKind::FileTooLarge if error.raw_os_error().is_some() => FileFault::SizeLimit,
            ErrorKind::FileTooLarge => FileFault::TooLarge,
            _ if is_out_of_files(error) => FileFault::TooManyOpen,
            _ => FileFault::Other(without_number(error.to_string())),
        }
    }
}

/// A file or folder that could not be used. It displays as a whole sentence.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}: {fault}.", paths::shown(.path))]
pub struct FileError {
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong with it.
    pub fault: FileFault,
}

impl FileError {
    /// Creates an error from what the system says about a file.
    pub fn new(path: &Path, error: &io::Error) -> FileError {
        FileError {
            path: path.to_owned(),
            fault: error.into(),
        }
    }
}

/// Returns what the system says, in plain words.
pub fn why(error: &io::Error) -> FileFault {
    error.into()
}

/// Returns whether the program or the whole system has too many files open.
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

/// Removes the number that Rust adds to the words of the system.
fn without_number(mut words: String) -> String {
    if let Some(at) = words.find(" (os error ") {
        words.truncate(at);
    }
    words
}
