//! Values in words: what happened, why something was not done, and what was asked about the game. All fronts say it so.

pub(crate) mod answers;
pub(crate) mod events;
pub(crate) mod refusals;

use crate::json::Json;

/// Something that is said, in both forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reply {
    /// Lines, perhaps none.
    pub(crate) text: Vec<String>,
    pub(crate) json: Json,
    pub(crate) tone: Tone,
}

/// How a text is meant; where there are colors, it is shown so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Plain,
    /// Something was not done.
    Refusal,
    /// Something that nobody should overlook: a check, an end.
    News,
}

impl Reply {
    /// What a command that changes nothing found out.
    pub(crate) fn answer(command: &'static str, text: Vec<String>) -> Reply {
        let lines = Json::from(text.clone());
        let json = Json::Object(vec![
            ("event", "answer".into()),
            ("command", command.into()),
            ("lines", lines),
        ]);
        Reply {
            text,
            json,
            tone: Tone::Plain,
        }
    }

    /// Why something was not done.
    pub(crate) fn refusal(text: Vec<String>) -> Reply {
        let lines = Json::from(text.clone());
        let json = Json::Object(vec![("event", "refused".into()), ("lines", lines)]);
        Reply {
            text,
            json,
            tone: Tone::Refusal,
        }
    }
}
