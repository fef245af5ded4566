//! What an engine says to a GUI.

mod info;
mod wdl;

use std::fmt;

pub use info::{Bound, BoundedScore, CurrentLine, Info, MAX_LINE_MOVES, MAX_MULTI_PV, Wdl};
pub use wdl::{expected_score, material};

use tabiya_rules::{Move, UciMove};

use crate::option::{OptionDeclaration, after_word};
use crate::text::{OneLine, clean, joined, shortened, words};

/// A message from an engine to a GUI.
///
/// Reading never fails: what is not understood becomes [`Reply::Unknown`]. Only a malformed `bestmove` has its own
/// variant, because the search waits for it.
///
/// ```
/// use tabiya_uci::Reply;
///
/// let reply = Reply::parse(b"bestmove g1f3  ponder d7d5 \r\n");
/// assert_eq!(reply.to_string(), "bestmove g1f3 ponder d7d5");
/// assert!(matches!(Reply::parse(b"bestmove aaaa"), Reply::BadBestMove(_)));
/// assert!(matches!(Reply::parse(b"Glory to chess"), Reply::Unknown(_)));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// `id name`.
    Name(String),
    /// `id author`.
    Author(String),
    /// `uciok`: the handshake is complete.
    UciOk,
    /// `readyok`: everything before `isready` is done.
    ReadyOk,
    /// `bestmove`: the search is over.
    BestMove(BestMove<UciMove>),
    /// `bestmove` followed by something that is not a move, cleaned.
    BadBestMove(String),
    /// `copyprotection`.
    CopyProtection(CheckState),
    /// `registration`.
    Registration(CheckState),
    /// `info`.
    Info(Box<Info>),
    /// `option`.
    Option(OptionDeclaration),
    /// Anything else, unchanged except that it is cleaned.
    Unknown(String),
}

/// The end of a search: the move to play, and the reply that the engine expects.
///
/// [`Engine`](crate::Engine) and the engine of `tabiya-engine` return it with legal moves; a line of text has
/// [`UciMove`]s, which are not checked yet.
///
/// ```
/// use tabiya_uci::{BestMove, Reply};
///
/// let said = BestMove { best: Some("e2e4".parse()?), ponder: Some("e7e5".parse()?) };
/// assert_eq!(Reply::BestMove(said).to_string(), "bestmove e2e4 ponder e7e5");
/// # Ok::<(), tabiya_rules::ParseUciError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BestMove<M = Move> {
    /// The move; `None` only if there is no legal move, as in a finished game.
    pub best: Option<M>,
    /// The reply that the engine would like to ponder on.
    pub ponder: Option<M>,
}

impl<M> BestMove<M> {
    /// No move, for a game that is over.
    pub const NONE: BestMove<M> = BestMove {
        best: None,
        ponder: None,
    };

    /// Creates a move to play, without a move to ponder on.
    pub const fn new(best: M) -> BestMove<M> {
        BestMove {
            best: Some(best),
            ponder: None,
        }
    }
}

/// The state of copy protection or registration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CheckState {
    /// The check is in progress.
    Checking,
    /// The check succeeded.
    Ok,
    /// The check failed.
    Error,
}

impl Reply {
    /// Reads a line. Unknown words before the first known one are skipped, as the protocol demands.
    #[must_use]
    pub fn parse(line: &[u8]) -> Reply {
        let text = clean(line);
        Reply::find(&text).unwrap_or_else(|| Reply::Unknown(shortened(&text).to_owned()))
    }

    fn find(text: &str) -> Option<Reply> {
        let keyword = words(text).find(|word| {
            matches!(
                *word,
                "id" | "uciok"
                    | "readyok"
                    | "bestmove"
                    | "copyprotection"
                    | "registration"
                    | "info"
                    | "option"
            )
        })?;
        let rest = after_word(text, keyword)?;
        Some(match keyword {
            "id" => {
                let mut rest = words(rest);
                match rest.next()? {
                    "name" => Reply::Name(joined(rest)),
                    "author" => Reply::Author(joined(rest)),
                    _ => return None,
                }
            }
            "uciok" => Reply::UciOk,
            "readyok" => Reply::ReadyOk,
            "bestmove" => read_best_move(rest),
            "copyprotection" => Reply::CopyProtection(CheckState::parse(rest)?),
            "registration" => Reply::Registration(CheckState::parse(rest)?),
            "info" => Reply::Info(Box::new(Info::parse(rest))),
            _ => Reply::Option(OptionDeclaration::parse(words(rest))?),
        })
    }
}

fn read_best_move(rest: &str) -> Reply {
    let mut words = words(rest);
    let best = match words.next() {
        None | Some("(none)" | "none" | "NULL") => None,
        Some(text) => match text.parse() {
            Ok(UciMove::Null) => None,
            Ok(m) => Some(m),
            Err(_) => return Reply::BadBestMove(joined([text])),
        },
    };
    let ponder = match words.next() {
        // A malformed ponder move must not invalidate the best move.
        Some("ponder") => words.next().and_then(|text| text.parse().ok()),
        _ => None,
    };
    Reply::BestMove(BestMove {
        best,
        ponder: ponder.filter(|&m| m != UciMove::Null),
    })
}

impl CheckState {
    fn parse(rest: &str) -> Option<CheckState> {
        match words(rest).next()? {
            "checking" => Some(CheckState::Checking),
            "ok" => Some(CheckState::Ok),
            "error" => Some(CheckState::Error),
            _ => None,
        }
    }
}

impl fmt::Display for CheckState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CheckState::Checking => "checking",
            CheckState::Ok => "ok",
            CheckState::Error => "error",
        })
    }
}

impl fmt::Display for BestMove<UciMove> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.best {
            Some(m) => write!(f, "bestmove {m}")?,
            None => f.write_str("bestmove (none)")?,
        }
        match self.ponder {
            Some(m) => write!(f, " ponder {m}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Reply {
    /// Writes one line, without a line break. The text inside a value cannot make it two.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Name(name) => write!(f, "id name {}", OneLine(name)),
            Reply::Author(author) => write!(f, "id author {}", OneLine(author)),
            Reply::UciOk => f.write_str("uciok"),
            Reply::ReadyOk => f.write_str("readyok"),
            Reply::BestMove(best) => best.fmt(f),
            Reply::BadBestMove(text) => write!(f, "bestmove {}", OneLine(text)),
            Reply::CopyProtection(state) => write!(f, "copyprotection {state}"),
            Reply::Registration(state) => write!(f, "registration {state}"),
            Reply::Info(info) => info.fmt(f),
            Reply::Option(option) => option.fmt(f),
            Reply::Unknown(text) => OneLine(text).fmt(f),
        }
    }
}

#[cfg(test)]
mod tests;
