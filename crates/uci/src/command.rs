//! What a GUI says to an engine.

mod go;
mod position;

use std::error::Error;
use std::fmt;

pub use go::Go;
pub use position::{PositionCommand, PositionError, Start};

use crate::option::{SetOption, after_word};
use crate::text::{OneLine, clean, joined, shortened, words};

/// A message from a GUI to an engine.
///
/// ```
/// use tabiya_uci::UciCommand;
///
/// let go = UciCommand::parse(b"joho  go wtime 1000 btime 900\r\n")?;
/// assert_eq!(go.to_string(), "go wtime 1000 btime 900");
/// assert!(UciCommand::parse(b"position startpos moves e2").is_err());
/// assert_eq!(UciCommand::parse(b"hello")?, UciCommand::Unknown("hello".into()));
/// # Ok::<(), tabiya_uci::UciCommandError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UciCommand {
    /// `uci`: introduce yourself.
    Uci,
    /// `debug on` or `debug off`.
    Debug(DebugMode),
    /// `isready`: answer when everything before it is done.
    IsReady,
    /// `setoption`.
    SetOption(SetOption),
    /// `register`.
    Register(Registration),
    /// `ucinewgame`: another game follows.
    NewGame,
    /// `position`.
    Position(PositionCommand),
    /// `go`: start a search.
    Go(Box<Go>),
    /// `stop`: stop the search and report the best move.
    Stop,
    /// `ponderhit`: the expected move was played.
    PonderHit,
    /// `quit`.
    Quit,
    /// `d`, which many engines support: show the position.
    Display,
    /// `bench`, which many engines support: a fixed search.
    Bench,
    /// Anything else, unchanged except that it is cleaned. An empty line is one of these.
    Unknown(String),
}

/// Whether an engine should print debugging output.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DebugMode {
    /// It should.
    On,
    /// It should not.
    Off,
}

/// What follows the word `register`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Registration {
    /// Not now.
    Later,
    /// As this person with this code.
    As {
        /// The name.
        name: String,
        /// The code.
        code: String,
    },
}

impl UciCommand {
    /// Reads a line. Unknown words before the command are skipped, as the protocol demands, and so are unknown words
    /// and unreadable numbers after `go`.
    ///
    /// # Errors
    /// Fails if the command is known but the rest of the line is not valid.
    pub fn parse(line: &[u8]) -> Result<UciCommand, UciCommandError> {
        UciCommand::parse_with_skipped(line, |_| {})
    }

    /// Like [`UciCommand::parse`], but also reports what was skipped after the command word.
    ///
    /// # Errors
    /// Fails if the command is known but the rest of the line is not valid.
    pub fn parse_with_skipped(
        line: &[u8],
        skipped: impl FnMut(Skipped),
    ) -> Result<UciCommand, UciCommandError> {
        let text = clean(line);
        let mut first = true;
        for word in words(&text) {
            // `d` and `bench` are not part of the protocol, so they count only at the beginning of a line.
            match word {
                "d" if first => return Ok(UciCommand::Display),
                "bench" if first => return Ok(UciCommand::Bench),
                _ => first = false,
            }
            if let Some(keyword) = Keyword::of(word) {
                let rest = after_word(&text, word).unwrap_or_default();
                return keyword.read(rest, skipped);
            }
        }
        Ok(UciCommand::Unknown(shortened(&text).to_owned()))
    }
}

/// The words that begin a command.
#[derive(Clone, Copy)]
enum Keyword {
    Uci,
    Debug,
    IsReady,
    SetOption,
    Register,
    NewGame,
    Position,
    Go,
    Stop,
    PonderHit,
    Quit,
}

impl Keyword {
    fn of(word: &str) -> Option<Keyword> {
        Some(match word {
            "uci" => Keyword::Uci,
            "debug" => Keyword::Debug,
            "isready" => Keyword::IsReady,
            "setoption" => Keyword::SetOption,
            "register" => Keyword::Register,
            "ucinewgame" => Keyword::NewGame,
            "position" => Keyword::Position,
            "go" => Keyword::Go,
            "stop" => Keyword::Stop,
            "ponderhit" => Keyword::PonderHit,
            "quit" => Keyword::Quit,
            _ => return None,
        })
    }

    fn read(self, rest: &str, skipped: impl FnMut(Skipped)) -> Result<UciCommand, UciCommandError> {
        Ok(match self {
            Keyword::Uci => UciCommand::Uci,
            Keyword::IsReady => UciCommand::IsReady,
            Keyword::NewGame => UciCommand::NewGame,
            Keyword::Stop => UciCommand::Stop,
            Keyword::PonderHit => UciCommand::PonderHit,
            Keyword::Quit => UciCommand::Quit,
            Keyword::Debug => match words(rest).next() {
                Some("on") => UciCommand::Debug(DebugMode::On),
                Some("off") => UciCommand::Debug(DebugMode::Off),
                _ => return Err(UciCommandError::Debug),
            },
            Keyword::SetOption => {
                UciCommand::SetOption(SetOption::parse(rest).ok_or(UciCommandError::OptionName)?)
            }
            Keyword::Register => UciCommand::Register(
                Registration::parse(rest).ok_or(UciCommandError::Registration)?,
            ),
            Keyword::Position => UciCommand::Position(PositionCommand::parse(rest)?),
            Keyword::Go => UciCommand::Go(Box::new(Go::parse(rest, skipped))),
        })
    }
}

impl Registration {
    fn parse(rest: &str) -> Option<Registration> {
        if words(rest).next()? == "later" {
            return Some(Registration::Later);
        }
        let part = |key, other| {
            let after = after_word(rest, key)?;
            Some(joined(words(after).take_while(|&word| word != other)))
        };
        Some(Registration::As {
            name: part("name", "code")?,
            code: part("code", "name")?,
        })
    }
}

impl fmt::Display for UciCommand {
    /// Writes one line, without a line break. The text inside a value cannot make it two.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UciCommand::Uci => f.write_str("uci"),
            UciCommand::Debug(DebugMode::On) => f.write_str("debug on"),
            UciCommand::Debug(DebugMode::Off) => f.write_str("debug off"),
            UciCommand::IsReady => f.write_str("isready"),
            UciCommand::SetOption(option) => option.fmt(f),
            UciCommand::Register(Registration::Later) => f.write_str("register later"),
            UciCommand::Register(Registration::As { name, code }) => {
                write!(f, "register name {} code {}", OneLine(name), OneLine(code))
            }
            UciCommand::NewGame => f.write_str("ucinewgame"),
            UciCommand::Position(position) => position.fmt(f),
            UciCommand::Go(go) => go.fmt(f),
            UciCommand::Stop => f.write_str("stop"),
            UciCommand::PonderHit => f.write_str("ponderhit"),
            UciCommand::Quit => f.write_str("quit"),
            UciCommand::Display => f.write_str("d"),
            UciCommand::Bench => f.write_str("bench"),
            UciCommand::Unknown(text) => OneLine(text).fmt(f),
        }
    }
}

/// A part of a command that was skipped.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Skipped {
    /// A word that has no meaning there.
    Word(String),
    /// A key without a valid number.
    Number {
        /// The key, such as `wtime`.
        key: &'static str,
        /// The text in place of the number, if any.
        text: Option<String>,
    },
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Skipped::Word(word) => write!(f, "ignored the word '{}'", Excerpt(word)),
            Skipped::Number { key, text: None } => write!(f, "ignored {key}: no number follows"),
            Skipped::Number {
                key,
                text: Some(text),
            } => write!(f, "ignored {key}: '{}' is no number for it", Excerpt(text)),
        }
    }
}

/// The beginning of a word from outside, for a message.
pub(crate) struct Excerpt<'a>(pub(crate) &'a str);

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MAX_CHARS: usize = 40;
        match self.0.char_indices().nth(MAX_CHARS) {
            None => OneLine(self.0).fmt(f),
            Some((end, _)) => write!(f, "{}…", OneLine(self.0.get(..end).unwrap_or_default())),
        }
    }
}

/// Why a line that begins like a command is malformed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum UciCommandError {
    /// `debug` without `on` or `off`.
    Debug,
    /// `setoption` without a name.
    OptionName,
    /// `register` without `later`, or a name and a code.
    Registration,
    /// `position` without `startpos` or `fen` next.
    Start,
    /// A word where `moves` should be.
    Moves {
        /// The word.
        word: String,
    },
    /// A word among the moves that is not a move.
    Move {
        /// Its index, counted from 1.
        number: usize,
        /// The word.
        word: String,
    },
}

impl fmt::Display for UciCommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UciCommandError::Debug => f.write_str("expected 'debug on' or 'debug off'"),
            UciCommandError::OptionName => {
                f.write_str("expected 'setoption name NAME value VALUE'")
            }
            UciCommandError::Registration => {
                f.write_str("expected 'register later' or 'register name NAME code CODE'")
            }
            UciCommandError::Start => {
                f.write_str("expected 'position startpos' or 'position fen FEN'")
            }
            UciCommandError::Moves { word } => {
                write!(f, "expected 'moves' and not '{}'", Excerpt(word))
            }
            UciCommandError::Move { number, word } => {
                write!(f, "move {number}, '{}', is not two squares", Excerpt(word))
            }
        }
    }
}

impl Error for UciCommandError {}

#[cfg(test)]
mod tests;
