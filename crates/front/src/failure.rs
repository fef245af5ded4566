//! Why a command failed, and the exit code of each kind of failure.

use std::fmt;
use std::io;
use std::process::ExitCode;

use tabiya_db::DbError;
use tabiya_rules::text::excerpt;
use tabiya_store::disk;

/// A command that ends with an exit code other than 0, or before its output was complete.
#[derive(Debug)]
pub enum Failure {
    /// The answer is "no": a bad FEN, a refused position or move. The sentence says why.
    No(String),
    /// The answer is "no", and the output says so already.
    NoAlreadyPrinted,
    /// The flags contradict each other in a way that only the command can see.
    Usage(String),
    /// A file, an engine or the system could not be used.
    Unusable(String),
    /// The output was closed. That is not the command's fault, so it ends quietly.
    OutputClosed,
}

impl Failure {
    /// The sentence for stderr, if there is one.
    pub fn sentence(&self) -> Option<&str> {
        match self {
            Failure::No(sentence) | Failure::Usage(sentence) | Failure::Unusable(sentence) => {
                Some(sentence)
            }
            Failure::NoAlreadyPrinted | Failure::OutputClosed => None,
        }
    }

    /// The exit code of the process.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Failure::OutputClosed => 0,
            Failure::No(_) | Failure::NoAlreadyPrinted => 1,
            Failure::Usage(_) => 2,
            Failure::Unusable(_) => 3,
        })
    }

    /// Fails if there are errors, which the output has already reported.
    pub fn if_errors(errors: u64) -> Result<(), Failure> {
        match errors {
            0 => Ok(()),
            _ => Err(Failure::NoAlreadyPrinted),
        }
    }

    /// The move of `--moves` at an index that is refused for a reason.
    pub fn refused_move(at: usize, text: &str, reason: impl fmt::Display) -> Failure {
        let (number, text) = (at + 1, excerpt(text));
        Failure::No(format!(
            "move {number} of --moves, '{text}', is refused: {reason}"
        ))
    }

    /// Something that could not be used, as the error says.
    pub fn unusable(error: impl std::error::Error) -> Failure {
        Failure::Unusable(error.to_string())
    }

    /// A file, or something else that the system refused, with its reason.
    pub fn system(what: impl fmt::Display, error: &io::Error) -> Failure {
        Failure::Unusable(format!("{what}: {}", disk::why(error)))
    }
}

/// Only output to stdout is converted this way; other files use [`Failure::system`].
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Failure::OutputClosed
        } else {
            let why = disk::why(&error);
            Failure::Unusable(format!("the output cannot be written: {why}"))
        }
    }
}

/// A database that cannot be used.
impl From<DbError> for Failure {
    fn from(error: DbError) -> Failure {
        Failure::unusable(error)
    }
}
