//! Saved games in the line mode: commands and replies.

use std::fmt;

use tabiya_front::game_file::Extent;
use tabiya_front::review::filed_game;
use tabiya_front::saved;
use tabiya_front::wording::{Question, ignored_options, trash_question};
use tabiya_game::Timestamp;
use tabiya_play::desk::{DeskRequest, Filed};
use tabiya_play::table::ResumedClocks;
use tabiya_store::{Autosaver, SaveEntry, SaveName, SaveNotice, Store, text_file};

use super::unsaved::Discard;
use super::{FileOutput, LineEffect, LineGame, LineSaveEffect, Reply, TextForm, say};

/// The greatest number of saves in the list.
const MAX_LISTED: usize = 50;

/// What the next line decides.
#[derive(Clone, Debug)]
pub(crate) struct Confirmation {
    /// What is done if it says yes.
    pub(super) then: Then,
    /// The reply if it says no.
    pub(super) declined: Reply,
}

/// What is done if the next line says yes.
#[derive(Clone, Debug)]
pub(crate) enum Then {
    /// Lose what no file has.
    Discard(Discard),
    /// Delete a save, or replace a file or the game in it.
    Do(Box<LineEffect>),
}

impl LineGame {
    /// Asks whether to delete a save. The next line answers.
    pub(crate) fn ask_to_delete(&mut self, name: SaveName) -> Reply {
        let question = file_question("delete", name.to_string(), &trash_question(&name));
        let shown = format!("'{name}'");
        self.ask_to(LineSaveEffect::Delete(name).into(), question, &shown)
    }

    /// Asks whether to replace a file. The next line answers.
    pub(crate) fn ask_to_replace(&mut self, output: FileOutput, games: usize) -> Reply {
        let name = output.path.display().to_string();
        let what = text_file::question(&output.path, games);
        let question = file_question(output.form.command(), name.clone(), &what);
        self.ask_to(LineEffect::Replace(output), question, &name)
    }

    /// Asks whether to write the game back into a file with other games. The next line answers.
    pub(crate) fn ask_to_put_back(
        &mut self,
        output: FileOutput,
        extent: Extent,
        others: usize,
    ) -> Reply {
        let name = output.path.display().to_string();
        let rest = match others {
            1 => "the other game there as it is".to_owned(),
            _ => format!("the {others} other games there as they are"),
        };
        let what = format!("Put the game back into its place in {name}, and leave {rest}?");
        let question = file_question(output.form.command(), name.clone(), &what);
        self.ask_to(LineEffect::PutBack(output, extent), question, &name)
    }

    /// Asks whether to do something. The next line answers.
    fn ask_to(&mut self, effect: LineEffect, question: Question, shown: &str) -> Reply {
        let left_alone = format!("{shown} was left alone.");
        self.confirmation = Some(Confirmation {
            then: Then::Do(Box::new(effect)),
            declined: Reply::text(question.command, vec![left_alone]),
        });
        Reply::Question(question)
    }

    /// Takes a line as the answer to a question that waits for one, if it says yes or no. Any other line means no, and
    /// is then handled as usual.
    pub(super) fn answer_confirmation(
        &mut self,
        line: &str,
        now: Timestamp,
    ) -> Option<Vec<LineEffect>> {
        let Confirmation { then, declined } = self.confirmation.take()?;
        match line.trim().to_ascii_lowercase().as_str() {
            "yes" | "y" => Some(match then {
                Then::Discard(discard) => self.discard(discard, now),
                Then::Do(effect) => vec![*effect],
            }),
            "no" | "n" | "" => Some(vec![LineEffect::Say(declined)]),
            _ => None,
        }
    }

    /// Reports the result of writing a file. A game whose moves are all in a file is no longer unsaved.
    pub(crate) fn written(
        &mut self,
        form: TextForm,
        result: Result<impl fmt::Display, impl fmt::Display>,
    ) -> Reply {
        if result.is_ok() && form == TextForm::Pgn {
            self.desk.mark_written();
        }
        result_reply(form.command(), result)
    }

    /// Reports the result of saving.
    pub(crate) fn saved(&mut self, result: Result<impl fmt::Display, impl fmt::Display>) -> Reply {
        if result.is_ok() {
            self.desk.mark_written();
        }
        result_reply("save", result)
    }

    /// Whether the game being played has a clock whose time is to be saved.
    pub(crate) fn runs_clock(&self, now: Timestamp) -> bool {
        self.desk.saves_clock(now)
    }

    /// The game being played with the time that the side to move has used, if a clock runs in it.
    pub(crate) fn clock_to_save(&self, now: Timestamp) -> Option<Box<tabiya_store::SavedGame>> {
        let session = self.desk.clock_to_save(now)?;
        Some(saved::game(session, &self.desk.game().players()))
    }

    /// The game being played, with its players.
    pub(crate) fn game_to_save(&self) -> Box<tabiya_store::SavedGame> {
        filed_game(Filed::Game(self.desk.game()))
    }

    /// Resumes a saved game. A finished one stays as it ended.
    pub(crate) fn resume_game(
        &mut self,
        game: &tabiya_store::SavedGame,
        now: Timestamp,
    ) -> Vec<LineEffect> {
        let players = saved::named(&game.players);
        let record = game.session.save();
        // A program at the other end of a pipe continues where it stopped.
        let clocks = match self.is_interactive {
            true => ResumedClocks::Stopped,
            false => ResumedClocks::Running,
        };
        let resume = DeskRequest::Resume {
            game: Box::new(record),
            players,
            clocks,
        };
        let mut effects = self.handle(resume, now);
        if let Some(engine) = self.table().opponents().engine_with_ignored_options() {
            effects.extend(say("load", vec![ignored_options(engine)]));
        }
        effects
    }
}

/// A question about a file, which is left alone unless a line answers with yes.
fn file_question(command: &'static str, name: String, what: &str) -> Question {
    Question {
        command,
        name,
        lines: vec![format!("{what} Type yes; anything else leaves it alone.")],
    }
}

/// A question about the game itself, which stays on the board unless a line answers with yes.
pub(super) fn game_question(command: &'static str, what: &str) -> Reply {
    Reply::Question(Question {
        command,
        name: String::new(),
        lines: vec![format!("{what} Type yes; anything else means no.")],
    })
}

/// The reply about a notice of the autosaver.
pub(crate) fn notice_reply(notice: SaveNotice) -> Reply {
    match notice {
        SaveNotice::Remark(news) => Reply::news("save", vec![news.to_string()]),
        SaveNotice::Problem(problem) => Reply::refusal("save", problem.to_string()),
    }
}

/// The reply about what a command has written or deleted, or why it could not.
pub(crate) fn result_reply(
    command: &'static str,
    result: Result<impl fmt::Display, impl fmt::Display>,
) -> Reply {
    match result {
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
    let listing = |listed: &SaveEntry| Some((listed.name.clone(), autosaver.peek(&listed.name)?));
    Reply::Saves {
        shown: listed.iter().take(MAX_LISTED).filter_map(listing).collect(),
        more: listed.len().saturating_sub(MAX_LISTED),
    }
}
