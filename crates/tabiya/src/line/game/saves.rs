//! Saved games in the line mode: commands and replies.

use std::fmt;
use std::path::PathBuf;

use tabiya_game::{Event, Timestamp};
use tabiya_store::{Autosaver, Remark, SaveEntry, SaveError, SaveName, Saved, Store, text_file};

use super::unsaved::Loss;
use super::{Effect, FileOutput, LineGame, Reply, SaveEffect, say};
use crate::commands::Command;
use crate::game_file::Extent;
use crate::saved;
use crate::wording::{GAME_GOES_ON, Question, trash_question};

/// The greatest number of saves in the list.
const MAX_LISTED: usize = 50;

/// What is lost if the next line says yes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Confirmation {
    /// The game being played, which no file has.
    Game(Loss),
    /// The moves after the position being viewed, which a move from there takes back.
    Moves(Box<Command>),
    /// The game of a file that this one was read from.
    Part(Box<Replacement>),
    Save(SaveName),
    /// A file that the output of a command replaces.
    File(FileOutput),
}

/// The replacement of a game in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Replacement {
    pub(crate) path: PathBuf,
    pub(crate) extent: Extent,
    pub(crate) text: String,
}

impl Confirmation {
    /// The command that asked, and the reply to a no.
    fn declined(&self) -> (&'static str, String) {
        match self {
            Confirmation::Game(_) => ("save", GAME_GOES_ON.to_owned()),
            Confirmation::Moves(_) => ("goto", "Your game stays as it is.".to_owned()),
            Confirmation::Part(replacement) => ("pgn", left_alone(replacement.path.display())),
            Confirmation::Save(name) => ("delete", left_alone(format!("'{name}'"))),
            Confirmation::File(output) => (output.command, left_alone(output.path.display())),
        }
    }
}

impl LineGame {
    /// Asks whether to delete a save. The next line answers.
    pub(crate) fn ask_to_delete(&mut self, name: SaveName) -> Reply {
        let reply = question("delete", name.as_str(), &trash_question(&name));
        self.confirmation = Some(Confirmation::Save(name));
        reply
    }

    /// Asks whether to replace a file. The next line answers.
    pub(crate) fn ask_to_replace(&mut self, output: FileOutput, games: usize) -> Reply {
        let name = output.path.display().to_string();
        let what = text_file::question(&output.path, games);
        let reply = question(output.command, &name, &what);
        self.confirmation = Some(Confirmation::File(output));
        reply
    }

    /// Asks whether to write the game back into a file with other games. The next line answers.
    pub(crate) fn ask_to_put_back(&mut self, replacement: Replacement, others: usize) -> Reply {
        let name = replacement.path.display().to_string();
        let rest = match others {
            1 => "the other game there as it is".to_owned(),
            _ => format!("the {others} other games there as they are"),
        };
        let what = format!("Put the game back into its place in {name}, and leave {rest}?");
        self.confirmation = Some(Confirmation::Part(Box::new(replacement)));
        question("pgn", &name, &what)
    }

    /// Takes a line as the answer to that, if it says yes or no. Either way, the question is settled.
    pub(super) fn answer_question(&mut self, line: &str, now: Timestamp) -> Option<Vec<Effect>> {
        let confirmation = self.confirmation.take()?;
        match line.trim().to_ascii_lowercase().as_str() {
            "yes" | "y" => Some(match confirmation {
                Confirmation::Game(loss) => self.lose(loss, now),
                Confirmation::Moves(command) => self.perform(*command, now),
                Confirmation::Part(replacement) => vec![Effect::PutBack(replacement)],
                Confirmation::Save(name) => vec![SaveEffect::Delete(name).into()],
                Confirmation::File(output) => vec![Effect::Replace(output)],
            }),
            "no" | "n" | "" => {
                let (command, sentence) = confirmation.declined();
                Some(say(command, vec![sentence]))
            }
            _ => None,
        }
    }

    /// What to save after a change, before it is reported. The game before may have been unsaved.
    pub(super) fn autosave(&mut self, happened: &[Event], was_unsaved: bool) -> Option<Effect> {
        let begins = |event: &Event| matches!(event, Event::NewGame | Event::PositionLoaded);
        let kept_elsewhere = self.table.is_remote() && !self.is_review();
        // An engine has moved first in the next game, and nobody has answered yet.
        let is_move = |event: &Event| matches!(event, Event::Moved(_));
        let only_begun = self.finished.is_some() && !self.is_review();
        if only_begun && happened.iter().all(is_move) {
            return None;
        }
        if happened.is_empty() || happened.contains(&Event::GameLoaded) || kept_elsewhere {
            None
        } else if self.is_review() {
            self.mark_unsaved(happened);
            None
        } else if happened.iter().any(begins) {
            let is_whole = !was_unsaved;
            Some(SaveEffect::Release { is_whole }.into())
        } else if self.keeps {
            Some(SaveEffect::Autosave(self.game_to_save()).into())
        } else {
            self.mark_unsaved(happened);
            None
        }
    }

    /// Handles the result of saving the game under a name.
    pub(crate) fn was_saved(&mut self, done: Result<Saved, SaveError>) -> Reply {
        if done.is_ok() {
            self.is_unsaved = false;
        }
        self::done("save", done)
    }

    /// The game with its players.
    pub(crate) fn game_to_save(&self) -> Box<tabiya_store::SavedGame> {
        let table = &self.table;
        saved::game(table.session().clone(), table.opponents().specs())
    }

    /// Resumes a saved game. A finished one stays as it ended.
    pub(crate) fn resume_game(
        &mut self,
        game: &tabiya_store::SavedGame,
        now: Timestamp,
    ) -> Vec<Effect> {
        let players = saved::players(&game.players);
        let record = game.session.save();
        // A program at the other end of a pipe continues where it stopped.
        let outcomes = match self.asks {
            true => self.table.resume(record, players, now),
            false => self.table.resume_running(record, players, now),
        };
        let mut effects = self.show_outcomes(outcomes, now);
        if let Some(sentence) = self.table.opponents().unset_options() {
            effects.extend(say("load", vec![sentence]));
        }
        effects
    }
}

fn left_alone(what: impl fmt::Display) -> String {
    format!("{what} was left alone.")
}

/// A question that a line answers with yes.
fn question(command: &'static str, name: &str, what: &str) -> Reply {
    Reply::Question(Question {
        command,
        name: name.to_owned(),
        lines: vec![format!("{what} Type yes; anything else leaves it alone.")],
    })
}

/// A question about the game itself, which stays on the board unless a line answers with yes.
pub(super) fn careful_question(command: &'static str, what: &str) -> Reply {
    Reply::Question(Question {
        command,
        name: String::new(),
        lines: vec![format!("{what} Type yes; anything else means no.")],
    })
}

/// The reply about saving.
pub(crate) fn remark(remark: Remark) -> Reply {
    match remark {
        Remark::News(news) => Reply::news("save", vec![news.to_string()]),
        Remark::Trouble(trouble) => Reply::refusal("save", trouble.to_string()),
    }
}

/// The result of a command about saves.
pub(crate) fn done(
    command: &'static str,
    done: Result<impl fmt::Display, impl fmt::Display>,
) -> Reply {
    match done {
        Ok(done) => Reply::text(command, vec![done.to_string()]),
        Err(error) => Reply::refusal(command, error.to_string()),
    }
}

/// Lists the saves, latest first.
pub(crate) fn list(autosaver: &Autosaver) -> Reply {
    let listed = match autosaver.store().and_then(Store::list) {
        Ok(listed) => listed,
        Err(error) => return Reply::refusal("save", error.to_string()),
    };
    let peeked = |listed: &SaveEntry| Some((listed.name.clone(), autosaver.peek(&listed.name)?));
    Reply::Saves {
        shown: listed.iter().take(MAX_LISTED).filter_map(peeked).collect(),
        more: listed.len().saturating_sub(MAX_LISTED),
    }
}
