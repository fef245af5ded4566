//! Fetches a player's own games from Lichess and chess.com into files, one for each month.
//!
//! This is the only crate that opens a connection to a server of others, and only when [`Import::run`] is called. One
//! request is made at a time. Whatever happens on the way, the files hold whole games only, games that are there already
//! stay as they are, and the next import continues where this one ended.
//!
//! | module | owns |
//! | --- | --- |
//! | `account` | a site and a name on it |
//! | `month` | months and moments in UTC, as both sites write them |
//! | `http` | requests: where to, how long, how much, and what an answer means |
//! | `games` | the games in a text, and whole games out of a stream |
//! | `folder` | the files, by month |
//! | `lichess`, `chesscom` | what each site is asked |

#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::wildcard_enum_match_arm))]

mod account;
mod chesscom;
mod error;
mod folder;
mod games;
mod http;
mod lichess;
mod month;

use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tabiya_store::disk::{Disk, FileError, SystemDisk, folder_of, uninterrupted};

pub use account::{Account, BadName, Site};
pub use error::ImportError;
pub use http::{NotLocal, Origin, Stopper};
pub use month::{BadDate, Since};

use folder::Folder;
use http::Http;

/// How long to wait after a site has asked for fewer requests.
const PAUSE: Duration = Duration::from_secs(60);

/// How long a site may be silent.
const READ_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a site may take to send a kilobyte.
const WINDOW: Duration = Duration::from_secs(60);

/// The most bytes of an answer, decompressed.
const MAX_BYTES: u64 = 200_000_000;

/// What to fetch, and into which folder.
#[derive(Debug)]
pub struct Import {
    /// Whose games.
    pub account: Account,
    /// The folder of the files.
    pub folder: PathBuf,
    /// The lock against a second import; its folder is created.
    pub lock: PathBuf,
    /// Where to begin; `None` to continue after the newest game in the files.
    pub since: Option<Since>,
    /// Whom to ask.
    pub origin: Origin,
    /// How long to wait after a site has asked for fewer requests.
    pub pause: Duration,
    /// How long a site may be silent.
    pub read_timeout: Duration,
    /// How long a site may take to send a kilobyte.
    pub window: Duration,
    /// The most bytes of an answer, decompressed.
    pub max_bytes: u64,
    /// The most bytes of a file of a month.
    pub max_file: u64,
    /// Now, in seconds since 1970: what is dated later is not where the next import goes on.
    pub now: i64,
}

/// What an import has done so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Games that were not in the files and are now.
    pub new: u64,
    /// Games that were there already.
    pub known: u64,
    /// Games of variants that this program does not play.
    pub variants: u64,
    /// Games that are not whole or not understood.
    pub unreadable: u64,
    /// Months that the site listed, such as `2026-11`, but did not have.
    pub missing: Vec<String>,
    /// The files that were written.
    pub files: Vec<PathBuf>,
}

/// What is happening.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Progress<'a> {
    /// Games arrive.
    Games(&'a Summary),
    /// The site has asked for fewer requests, and gets none for so long.
    Waiting(Duration),
}

impl Import {
    /// An import that continues after the newest game in the files of a folder, which are read and written up to a size.
    #[must_use]
    pub fn new(account: Account, folder: PathBuf, lock: PathBuf, max_file: u64) -> Import {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Import {
            origin: Origin::of(account.site),
            account,
            folder,
            lock,
            since: None,
            pause: PAUSE,
            read_timeout: READ_TIMEOUT,
            window: WINDOW,
            max_bytes: MAX_BYTES,
            max_file,
            now: now.map_or(0, |now| now.as_secs().cast_signed()),
        }
    }

    /// Fetches the games. What was done is returned even if it ended early. The stopper ends it from another thread.
    pub fn run(
        &self,
        stopper: &Stopper,
        report: &mut dyn FnMut(Progress<'_>),
    ) -> (Summary, Result<(), ImportError>) {
        let mut summary = Summary::default();
        let done = self.fetch(stopper, &mut summary, report);
        (summary, done)
    }

    fn fetch(
        &self,
        stopper: &Stopper,
        summary: &mut Summary,
        report: &mut dyn FnMut(Progress<'_>),
    ) -> Result<(), ImportError> {
        let state = folder_of(&self.lock);
        let made = uninterrupted(|| SystemDisk.make_folder(state));
        made.map_err(|error| FileError::new(state, &error))?;
        let lock = uninterrupted(|| SystemDisk.lock(&self.lock));
        let lock = lock.map_err(|error| FileError::new(&self.lock, &error))?;
        let _lock = lock.ok_or(ImportError::Busy)?;
        let http = Http::new(self, stopper);
        let mut folder = Folder::open(self, stopper, summary)?;
        let fetched = match self.account.site {
            Site::Lichess => lichess::fetch(self, &http, &mut folder, report),
            Site::ChessCom => chesscom::fetch(self, &http, &mut folder, report),
        };
        // Whatever ended it, what has arrived is kept.
        let written = folder.write();
        fetched.and(Ok(written?))
    }
}

#[cfg(test)]
mod tests;
