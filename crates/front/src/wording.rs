//! Values as sentences: events, refusals, and answers about the game. All fronts use them.

pub mod answers;
pub mod events;
pub mod explorer;
pub mod refusals;
pub mod server;
pub mod study;
pub mod train;

use events::DetailedEvent;
use serde::Serialize;
use tabiya_game::Node;
use tabiya_play::contest::{End, Entrant, Finished};
use tabiya_play::desk::{DeskQuestion, Step};
use tabiya_play::outcome::Answer;
use tabiya_play::players::{Level, PlayerSpec};
use tabiya_rules::text::excerpt;
use tabiya_rules::{Color, Position};
use tabiya_store::{SaveError, SaveName, Summary};
use tabiya_train::trainer;

use crate::explorer::Found;
use crate::matches::Final;
use crate::review::Origin;

/// A reply of the line mode: a value, which [`Reply::lines`] puts into words and [`crate::json`] into an object.
#[derive(Clone, Debug)]
pub enum Reply {
    /// Something happened in the game.
    Event(Box<DetailedEvent>),
    /// An answer about the game.
    Answer(Box<Answer>),
    /// The output of another command, and its tone.
    Text {
        command: &'static str,
        lines: Vec<String>,
        tone: Tone,
    },
    /// Why a request was refused: a code for programs, and lines for people.
    Refused {
        code: &'static str,
        lines: Vec<String>,
    },
    /// An engine begins to think. Programs are informed; people see that it is not their turn.
    Thinking(Thinking),
    /// A question that the next line answers with yes.
    Question(Question),
    /// Saves, latest first, and how many more there are.
    Saves {
        shown: Vec<Listing>,
        more: usize,
    },
    /// A player of a match exceeded its limits.
    Overrun {
        by: Entrant,
        sentence: String,
    },
    /// A game of a match is over, with the line about it.
    MatchGame {
        game: Box<Finished>,
        line: String,
    },
    /// A match is over.
    MatchScore(Box<Final>),
    /// The answer of a database.
    Explored(Box<Found>),
    /// Something happened in a training session.
    Training(Box<trainer::Event>),
    Goodbye,
}

/// An engine that thinks for a side.
#[derive(Clone, Debug, Serialize)]
pub struct Thinking {
    pub side: Color,
    pub player: String,
}

/// A question about something with a name, and the command that asks.
#[derive(Clone, Debug, Serialize)]
pub struct Question {
    pub command: &'static str,
    pub name: String,
    pub lines: Vec<String>,
}

/// A premove was taken back.
pub const PREMOVE_REMOVED: &str = "The premove is removed.";

/// A premove turned out to be illegal; the reason follows.
pub const PREMOVE_DROPPED: &str = "The premove cannot be played.";

/// The game being played is in no file.
pub const NOT_SAVED: &str = "The game is not saved.";

/// The review has unsaved changes.
pub const REVIEW_CHANGED: &str = "The review has unsaved changes.";

/// The question before a step that loses something. `position` is the one in front.
pub fn question(question: DeskQuestion, step: &Step<'_, Origin>, position: &Position) -> String {
    match (question, step) {
        (DeskQuestion::TakeBack(played), _) => {
            let san = position.san(played);
            format!(
                "{san} takes your game back to this place; what followed stays as a variation. Go on from here?"
            )
        }
        (DeskQuestion::LeaveServer, _) => {
            "The game goes on at the server without you. Leave it anyway?".to_owned()
        }
        (DeskQuestion::UnsavedGame, Step::Quit) => format!("{NOT_SAVED} Leave anyway?"),
        (DeskQuestion::UnsavedGame, _) => format!("{NOT_SAVED} Start another one anyway?"),
        (DeskQuestion::UnsavedReview, Step::Quit) => format!("{REVIEW_CHANGED} Leave anyway?"),
        (DeskQuestion::UnsavedReview, Step::CloseReview) => {
            format!("{REVIEW_CHANGED} Leave it anyway?")
        }
        (DeskQuestion::UnsavedReview, _) => format!("{REVIEW_CHANGED} Discard them?"),
    }
}

/// What happened to the moves after the position from which the game continues; `redo` plays them again if they are
/// still ahead.
pub fn branched(node: Node<'_>, redo: &str) -> String {
    match node.next().is_some() {
        true => format!(
            "The game goes on from here. The moves that followed are still there: {redo} plays them again."
        ),
        false => "The game goes on from here. The moves that had followed are kept as a variation."
            .to_owned(),
    }
}

/// The game continues, after a pause or a question.
pub const GAME_GOES_ON: &str = "The game continues.";

/// The warning that the options a save has for a known engine are ignored.
pub fn ignored_options(engine: &PlayerSpec) -> String {
    format!(
        "The save has options for {}: they are not set, only those of config.toml are.",
        excerpt(&engine.name().unwrap_or_default())
    )
}

/// The command that resumes a saved game, for a shell.
pub fn resume_command(name: &SaveName) -> String {
    let quoted = name.as_str().replace('\'', r"'\''");
    format!("tabiya play --resume '{quoted}'")
}

/// What Ctrl-C says the first time.
pub const LEAVE_AGAIN: &str = "Press Ctrl-C again to leave.";

/// The question before a save is deleted.
pub fn trash_question(name: &SaveName) -> String {
    format!("Move '{name}' to the trash?")
}

/// A save, or why it cannot be read.
pub type Listing = (SaveName, Result<Summary, SaveError>);

/// The tone of a text, which colors show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Plain,
    /// A refusal.
    Refusal,
    /// Something important that the player should not miss, such as a check.
    Notable,
    /// About a move that is tried in place of a mistake. It means nothing at other positions.
    Try,
    /// The game is over.
    Ending,
}

impl Reply {
    /// The output of a command that changes nothing.
    pub fn text(command: &'static str, lines: Vec<String>) -> Reply {
        Reply::Text {
            command,
            lines,
            tone: Tone::Plain,
        }
    }

    /// The output of a command, shown as important.
    pub fn news(command: &'static str, lines: Vec<String>) -> Reply {
        Reply::Text {
            command,
            lines,
            tone: Tone::Notable,
        }
    }

    /// A refusal.
    pub fn refusal(code: &'static str, sentence: impl Into<String>) -> Reply {
        Reply::Refused {
            code,
            lines: vec![sentence.into()],
        }
    }

    /// The lines of text; there may be none.
    pub fn lines(&self) -> Vec<String> {
        match self {
            Reply::Event(told) => events::lines(told, &events::colors()),
            Reply::Answer(answer) => answers::lines(answer),
            Reply::Text { lines, .. }
            | Reply::Question(Question { lines, .. })
            | Reply::Refused { lines, .. } => lines.clone(),
            Reply::Thinking(_) => Vec::new(),
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
            Reply::Explored(found) => explorer::report(found),
            Reply::Training(event) => train::lines(event),
            Reply::Goodbye => vec!["Game over. Goodbye!".to_owned()],
        }
    }

    pub fn tone(&self) -> Tone {
        match self {
            Reply::Event(told) => events::tone(told),
            Reply::Text { tone, .. } => *tone,
            Reply::Refused { .. } => Tone::Refusal,
            Reply::Training(event) => train::tone(event),
            Reply::Question(_) => Tone::Notable,
            Reply::Answer(_)
            | Reply::Thinking(_)
            | Reply::Saves { .. }
            | Reply::Overrun { .. }
            | Reply::MatchGame { .. }
            | Reply::MatchScore(_)
            | Reply::Explored(_)
            | Reply::Goodbye => Tone::Plain,
        }
    }
}

/// The label of a player: its name, and for a level its rating, with the list that it was measured on.
pub fn offered_player(player: &PlayerSpec) -> String {
    let Some(name) = player.name() else {
        return "a person at this board".to_owned();
    };
    match player {
        PlayerSpec::Bot(level) => {
            let level = level.unwrap_or(Level::FULL);
            let list = level.rating_list();
            let list = list.map_or(String::new(), |list| format!(" ({list})"));
            format!("{name}, about {}{list}", level.elo())
        }
        PlayerSpec::Human | PlayerSpec::Uci(_) | PlayerSpec::Named(_) | PlayerSpec::Remote(_) => {
            name
        }
    }
}

/// A description of a player in one line; `None` if there is none.
pub fn about_player(player: &PlayerSpec) -> Option<&'static str> {
    let PlayerSpec::Bot(level) = player else {
        return None;
    };
    Some(match level.unwrap_or(Level::FULL).number() {
        1 => "Knows the rules, overlooks most moves and leaves pieces hanging.",
        2 => "Takes what it sees, and overlooks every other move.",
        3 => "Plays sensibly, and overlooks a move in three: beatable.",
        4 => "Sees short tactics, and still overlooks a move in six.",
        5 => "A club player: few oversights, so wait for small mistakes.",
        6 => "A strong club player: hangs a piece only now and then.",
        7 => "Calculates well and hardly overlooks anything.",
        8 => "Plays like a master: patience alone does not beat it.",
        9 => "Plays like a grandmaster, with nothing overlooked.",
        _ => "The engine at full strength, for as long as the clock allows.",
    })
}

#[cfg(test)]
mod tests;
