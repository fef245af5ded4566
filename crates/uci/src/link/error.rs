//! What can go wrong with an engine, each as a sentence that a person can act on.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

use crate::option::OptionError;
use crate::text::OneLine;

/// Why an engine failed or refused a request.
///
/// ```
/// use tabiya_uci::{Deadlines, Engine, EngineCommand, EngineError};
///
/// let error = Engine::start(&EngineCommand::new("/no/such/engine"), Deadlines::new()).unwrap_err();
/// assert!(matches!(error, EngineError::Start { .. }) && error.is_fatal());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EngineError {
    /// It could not be started.
    Start {
        /// The program.
        program: PathBuf,
        /// Why it could not be started.
        problem: String,
    },
    /// The system refused a thread for the search. This can happen to an engine inside the program.
    NoThread {
        /// Why it was refused.
        reason: String,
    },
    /// Its process exited.
    Ended {
        /// What it should have been doing.
        phase: Phase,
        /// How it exited.
        exit: ExitNote,
        /// The last line it wrote to standard error.
        last_words: Option<String>,
    },
    /// It did not answer in time.
    Silent {
        /// What it should have been doing.
        phase: Phase,
        /// How long it had.
        limit: Duration,
    },
    /// It was told to stop, but sent no move.
    NoBestMove {
        /// How long it had.
        limit: Duration,
    },
    /// It was silent for too long in a search without a time limit, was told to stop, and sent no move.
    Hung {
        /// How long it was silent before.
        silence: Duration,
    },
    /// It closed its output but still runs.
    OutputClosed {
        /// What it should have been doing.
        phase: Phase,
    },
    /// It closed its input but still runs.
    InputClosed {
        /// What it should have been doing.
        phase: Phase,
    },
    /// It does not read what it is sent.
    NotReading,
    /// It wrote a line of more than [`MAX_LINE`](crate::MAX_LINE) bytes.
    LineTooLong,
    /// It wrote far more than any engine needs to.
    Flood,
    /// Its output is not text.
    NotText,
    /// It chose a move that is not legal, or no move at all.
    IllegalMove {
        /// What it sent, cleaned.
        text: String,
        /// Why the move is not legal.
        reason: String,
    },
    /// It answered that there is no move although there are legal moves.
    NoMove,
    /// Another thread aborted it.
    Aborted,
    /// It does not have the option.
    NoSuchOption {
        /// The option's name.
        name: String,
    },
    /// The value is not valid for the option.
    Option(OptionError),
    /// It does not support Chess960.
    NoChess960,
    /// It is searching, so it cannot accept another command.
    Busy,
}

/// What an engine should have been doing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Phase {
    /// The handshake.
    Handshake,
    /// Getting ready.
    Ready,
    /// Waiting for a command.
    Idle,
    /// Searching.
    Search,
}

/// How a process exited.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ExitNote {
    /// By itself, with this exit code.
    Code(i32),
    /// By this signal.
    Signal(i32),
    /// It exited after a signal to terminate.
    Terminated,
    /// It had to be killed.
    Killed,
    /// Unknown.
    Unknown,
}

impl EngineError {
    /// Returns whether the engine is gone. If not, only this request was refused.
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        !matches!(
            self,
            EngineError::NoSuchOption { .. }
                | EngineError::Option(_)
                | EngineError::NoChess960
                | EngineError::NoThread { .. }
                | EngineError::Busy
        )
    }
}

impl ExitNote {
    pub(super) fn of(status: Option<ExitStatus>) -> ExitNote {
        let Some(status) = status else {
            return ExitNote::Unknown;
        };
        #[cfg(unix)]
        if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
            return ExitNote::Signal(signal);
        }
        status.code().map_or(ExitNote::Unknown, ExitNote::Code)
    }
}

/// Returns the usual name of a signal. These have the same numbers on all systems.
fn signal_name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        _ => return None,
    })
}

impl fmt::Display for ExitNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ExitNote::Code(code) => write!(f, "exit code {code}"),
            ExitNote::Signal(signal) => match signal_name(signal) {
                Some(name) => write!(f, "signal {name}"),
                None => write!(f, "signal {signal}"),
            },
            ExitNote::Terminated => f.write_str("it had to be terminated"),
            ExitNote::Killed => f.write_str("it had to be killed"),
            ExitNote::Unknown => f.write_str("unknown status"),
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Phase::Handshake => "before it had introduced itself",
            Phase::Ready => "while it was getting ready",
            Phase::Idle => "while it had nothing to do",
            Phase::Search => "while it should have been thinking",
        })
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::Start { program, problem } => {
                let program = program.to_string_lossy();
                write!(
                    f,
                    "The engine {} could not be started: {problem}.",
                    OneLine(&program)
                )
            }
            EngineError::NoThread { reason } => {
                write!(
                    f,
                    "No thread could be started for the engine: {}.",
                    OneLine(reason)
                )
            }
            EngineError::Ended {
                phase,
                exit,
                last_words,
            } => {
                write!(f, "The engine ended {phase} ({exit}).")?;
                match last_words {
                    Some(line) => write!(f, " Its last words: {}", OneLine(line)),
                    None => Ok(()),
                }
            }
            EngineError::Silent { phase, limit } => {
                let what = match phase {
                    Phase::Handshake => "did not introduce itself with uciok",
                    _ => "did not answer isready with readyok",
                };
                write!(f, "The engine {what} within {limit:?}.")
            }
            EngineError::NoBestMove { limit } => {
                write!(
                    f,
                    "The engine gave no move within {limit:?} of being told to stop."
                )
            }
            EngineError::Hung { silence } => {
                write!(
                    f,
                    "The engine has hung: it printed nothing useful for {silence:?}, and no move when told to stop."
                )
            }
            EngineError::OutputClosed { phase } => {
                write!(f, "The engine closed its output {phase}.")
            }
            EngineError::InputClosed { phase } => write!(f, "The engine closed its input {phase}."),
            EngineError::NotReading => f.write_str("The engine does not read what it is sent."),
            EngineError::LineTooLong => f.write_str("The engine wrote a line without end."),
            EngineError::Flood => {
                f.write_str("The engine wrote far more than any engine has to say.")
            }
            EngineError::NotText => f.write_str("The engine's output is not plain text."),
            EngineError::IllegalMove { text, reason } => {
                let reason = reason.trim_end_matches('.');
                write!(
                    f,
                    "The engine chose '{}', which is no legal move: {reason}.",
                    OneLine(text)
                )
            }
            EngineError::NoMove => {
                f.write_str("The engine says that it has no move, but it has one.")
            }
            EngineError::Aborted => f.write_str("The engine was ended on request."),
            EngineError::NoSuchOption { name } => {
                write!(f, "The engine has no option named {}.", OneLine(name))
            }
            EngineError::Option(error) => error.fmt(f),
            EngineError::NoChess960 => f.write_str("The engine does not play Chess960."),
            EngineError::Busy => f.write_str("The engine is thinking; stop it first."),
        }
    }
}

impl Error for EngineError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            EngineError::Option(error) => Some(error),
            EngineError::Start { .. }
            | EngineError::NoThread { .. }
            | EngineError::Ended { .. }
            | EngineError::Silent { .. }
            | EngineError::NoBestMove { .. }
            | EngineError::Hung { .. }
            | EngineError::OutputClosed { .. }
            | EngineError::InputClosed { .. }
            | EngineError::NotReading
            | EngineError::LineTooLong
            | EngineError::Flood
            | EngineError::NotText
            | EngineError::IllegalMove { .. }
            | EngineError::NoMove
            | EngineError::Aborted
            | EngineError::NoSuchOption { .. }
            | EngineError::NoChess960
            | EngineError::Busy => None,
        }
    }
}
