//! Values as sentences: what happened, why something was refused, and answers about the game. All fronts use them.

pub(crate) mod answers;
pub(crate) mod events;
pub(crate) mod explorer;
pub(crate) mod levels;
pub(crate) mod refusals;
pub(crate) mod server;
pub(crate) mod study;

use events::DetailedEvent;
use tabiya_openings::Opening;
use tabiya_play::contest::{End, Entrant, Finished};
use tabiya_play::outcome::Answer;
use tabiya_rules::Color;
use tabiya_store::{SaveError, SaveName, Summary};

use crate::explorer::Found;
use crate::matches::Final;

/// Something that the line mode says: a value, which [`Reply::lines`] puts into words and [`crate::json`] into an object.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// What happened in the game.
    Event(Box<DetailedEvent>),
    /// What was asked about the game.
    Answer(Box<Answer>),
    /// What another command says, and how it is meant.
    Text {
        command: &'static str,
        lines: Vec<String>,
        tone: Tone,
    },
    /// Why something was not done: a word for programs, and lines for people.
    Refused {
        code: &'static str,
        lines: Vec<String>,
    },
    /// An engine begins to think. Programs are informed; people see that it is not their turn.
    Thinking {
        side: Color,
        player: String,
    },
    /// A question that the next line answers with yes.
    Question {
        command: &'static str,
        name: String,
        lines: Vec<String>,
    },
    /// Saves, the latest first, and how many more there are.
    Saves {
        shown: Vec<Listing>,
        more: usize,
    },
    /// A player of a match does not keep to what it is asked for.
    Overrun {
        by: Entrant,
        sentence: String,
    },
    /// A game of a match is over; and the line about it.
    MatchGame {
        game: Box<Finished>,
        line: String,
    },
    /// A match is over.
    MatchScore(Box<Final>),
    /// What was played in a position.
    Explored(Box<Explored>),
    Goodbye,
}

/// What a database says of a position, and the name of its opening.
#[derive(Clone, Debug)]
pub(crate) struct Explored {
    pub(crate) found: Found,
    pub(crate) opening: Option<Opening<'static>>,
}

/// A save, or why it cannot be read.
pub(crate) type Listing = (SaveName, Result<Summary, SaveError>);

/// How a text is meant; where there are colors, it is shown so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Plain,
    /// Something was not done.
    Refusal,
    /// Something that must not be overlooked: a check, an end.
    News,
}

impl Reply {
    /// What a command that changes nothing says.
    pub(crate) fn text(command: &'static str, lines: Vec<String>) -> Reply {
        Reply::Text {
            command,
            lines,
            tone: Tone::Plain,
        }
    }

    /// Why something was not done.
    pub(crate) fn refusal(code: &'static str, sentence: impl Into<String>) -> Reply {
        Reply::Refused {
            code,
            lines: vec![sentence.into()],
        }
    }

    /// In words: lines, perhaps none.
    pub(crate) fn lines(&self) -> Vec<String> {
        match self {
            Reply::Event(told) => events::lines(told, &events::colors()),
            Reply::Answer(answer) => answers::lines(answer),
            Reply::Text { lines, .. }
            | Reply::Question { lines, .. }
            | Reply::Refused { lines, .. } => lines.clone(),
            Reply::Thinking { .. } => Vec::new(),
            Reply::Saves { shown, more } => answers::saves(shown, *more),
            Reply::Overrun { sentence, .. } => vec![sentence.clone()],
            Reply::MatchGame { line, .. } => vec![line.clone()],
            Reply::MatchScore(ended) => {
                let mut lines = ended.lines();
                if let End::Broken(error) = &ended.end {
                    lines.push(error.to_string());
                }
                lines
            }
            Reply::Explored(explored) => explorer::lines(explored),
            Reply::Goodbye => vec!["Game over. Goodbye!".to_owned()],
        }
    }

    pub(crate) fn tone(&self) -> Tone {
        match self {
            Reply::Event(told) => events::tone(told),
            Reply::Text { tone, .. } => *tone,
            Reply::Refused { .. } => Tone::Refusal,
            Reply::Question { .. } => Tone::News,
            Reply::Answer(_)
            | Reply::Thinking { .. }
            | Reply::Saves { .. }
            | Reply::Overrun { .. }
            | Reply::MatchGame { .. }
            | Reply::MatchScore(_)
            | Reply::Explored(_)
            | Reply::Goodbye => Tone::Plain,
        }
    }
}
