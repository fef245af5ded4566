//! What can go wrong with a database. Like other errors of libraries, they display without a full stop.

use std::io;
use std::path::{Path, PathBuf};

use parquet::errors::ParquetError;
use tabiya_rules::text::clean;
use tabiya_store::disk::FileError;
use tabiya_store::paths;
use thiserror::Error;

/// Why a database cannot be used or built.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DbError {
    /// A file or folder cannot be used.
    #[error("{}: {}", paths::clean(&.0.path), .0.fault)]
    File(#[from] FileError),
    /// The folder is not a database.
    #[error("{}: there is no database in this folder", paths::clean(.0))]
    NotADatabase(PathBuf),
    /// It is a file, and a database is a folder.
    #[error("{}: this is a file, and a database is a folder that `tabiya db build` makes", paths::clean(.0))]
    NotAFolder(PathBuf),
    /// The folder already has a database.
    #[error("{}: there is a database already; `db add` adds games to it", paths::clean(.0))]
    Exists(PathBuf),
    /// The folder has other files in it.
    #[error("{}: the folder is not empty, and nothing in it is a database", paths::clean(.0))]
    NotEmpty(PathBuf),
    /// Another process is building this database.
    #[error("{}: another process is building this database", paths::clean(.0))]
    Busy(PathBuf),
    /// An earlier version of the program wrote it, in a format that is no longer read.
    #[error("{}: the database has version {version}, and this program reads version {readable}; remove the folder and build the database again", paths::clean(.path))]
    Older {
        /// The manifest.
        path: PathBuf,
        /// The version that it names.
        version: u64,
        /// The version that is read.
        readable: u64,
    },
    /// A later version of the program wrote it.
    #[error("{}: the database has version {version}, and this program reads up to version {readable}", paths::clean(.path))]
    Newer {
        /// The manifest.
        path: PathBuf,
        /// The version that it names.
        version: u64,
        /// The latest version that is read.
        readable: u64,
    },
    /// A file is missing or damaged.
    #[error("{}: {damage}", paths::clean(.path))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        damage: Damage,
    },
    /// An earlier build of something else was not finished.
    #[error("{}: a build of other files, or with other flags, was interrupted here; repeat that one to finish it, or give --restart to start over", paths::clean(.0))]
    Unfinished(PathBuf),
    /// The database holds only a share of its keys.
    #[error("{}: this is share {share} of a database; `db merge` puts the shares together", paths::clean(.path))]
    Share {
        /// The folder.
        path: PathBuf,
        /// Which share.
        share: crate::Share,
    },
    /// The databases are not the shares of one.
    #[error("{}: {why}", paths::clean(.path))]
    Merge {
        /// The folder of the one that does not fit.
        path: PathBuf,
        /// Why it does not.
        why: MergeFault,
    },
    /// A thread ended before its work was done.
    #[error("a thread ended before its work was done")]
    Thread,
}

/// What is wrong with a file of a database.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Damage {
    /// It is missing.
    #[error("the file is missing; the rest of the database is as it was")]
    Missing,
    /// It has another length.
    #[error("the file has {found} bytes and should have {expected}")]
    Length {
        /// What the manifest says.
        expected: u64,
        /// What there is.
        found: u64,
    },
    /// Some bytes have changed.
    #[error("the file was changed or damaged near byte {0}")]
    Changed(u64),
    /// The text is not a manifest.
    #[error("this is not the manifest of a database: {0}")]
    Manifest(String),
    /// The contents of a table make no sense.
    #[error("the table cannot be read: {0}")]
    Table(String),
}

/// Why databases cannot be merged.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MergeFault {
    /// It is a whole database.
    #[error("this is a whole database, not a share of one")]
    Whole,
    /// A share is given twice.
    #[error("share {0} is given twice")]
    Twice(crate::Share),
    /// A share is missing.
    #[error("share {0} is missing")]
    Missing(crate::Share),
    /// The shares were not built from the same files in the same way.
    #[error("this share was built of other files, or with other flags, than the first")]
    Other,
}

impl DbError {
    pub(crate) fn io(path: &Path, error: &io::Error) -> DbError {
        DbError::File(FileError::new(path, error))
    }

    pub(crate) fn damaged(path: &Path, damage: Damage) -> DbError {
        DbError::Damaged {
            path: path.to_owned(),
            damage,
        }
    }

    /// An error of the Parquet library, which writes files.
    pub(crate) fn parquet(path: &Path, error: ParquetError) -> DbError {
        match error {
            ParquetError::External(inner) => match inner.downcast::<io::Error>() {
                Ok(error) => DbError::io(path, &error),
                Err(other) => {
                    DbError::damaged(path, Damage::Table(library_message(&other.to_string())))
                }
            },
            other => DbError::damaged(path, Damage::Table(library_message(&other.to_string()))),
        }
    }
}

/// The message of a library, shortened and without control characters.
pub(crate) fn library_message(text: &str) -> String {
    let text = clean(text);
    let cut = text.floor_char_boundary(200);
    text.get(..cut).unwrap_or(&text).to_owned()
}
