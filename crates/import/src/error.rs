//! Why an import ended early, as sentences for the user.

use tabiya_store::disk::FileError;
use thiserror::Error;

/// Why an import ended early. What had arrived as a whole by then is in the files, unless it is the files that failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the sentences say what the fields are")]
pub enum ImportError {
    /// The site has no such player.
    #[error("{host} knows no player '{name}'. Is the name spelled as it is there?")]
    UnknownPlayer { host: String, name: String },
    /// No answer began.
    #[error(
        "{host} cannot be reached: {why}. Check the connection, and try again; nothing is lost."
    )]
    Unreachable { host: String, why: String },
    /// There were too many requests, also after a pause.
    #[error(
        "{host} asks for fewer requests, also after a pause of a minute. Try again in some minutes; the import goes on from here."
    )]
    TooManyRequests { host: String },
    /// The site has a fault.
    #[error(
        "{host} answered with the error {status}. Try again later; the import goes on from here."
    )]
    Status { host: String, status: u16 },
    /// The answer is elsewhere.
    #[error("{host} sends us on to another place, '{to}', which was not asked.")]
    Redirect { host: String, to: String },
    /// The answer has no end.
    #[error(
        "The connection to {host} broke in the middle: {why}. Whole games are kept; the same command fetches the rest."
    )]
    Cut { host: String, why: String },
    /// Nothing came for too long.
    #[error("{host} has been silent for {seconds} seconds. Whole games are kept; try again later.")]
    Silent { host: String, seconds: u64 },
    /// Too little came for too long.
    #[error("{host} sends too slowly. Whole games are kept; try again later.")]
    TooSlow { host: String },
    /// The answer is something else.
    #[error(
        "{host} answered with something other than {expected}. If it needs a login in a browser first (a hotel, a train), do that."
    )]
    NotUnderstood {
        host: String,
        expected: &'static str,
    },
    /// The answer is too long.
    #[error(
        "{host} sent more than {megabytes} MB at once. Whole games are kept; go on from there with --since and the day of the last one."
    )]
    TooLong { host: String, megabytes: u64 },
    /// There is another import.
    #[error("Another import is running; wait until it has ended.")]
    Busy,
    /// It was stopped.
    #[error("The import was stopped. Whole games are kept; the same command fetches the rest.")]
    Stopped,
    /// A file could not be used.
    #[error(transparent)]
    File(#[from] FileError),
}
