//! Questions before something is lost, in the line mode: a user at a terminal is asked, and the next line answers.

use tabiya_front::commands::{Command, OpenCommand};
use tabiya_front::review::Origin;
use tabiya_front::wording::{self, GAME_GOES_ON, Reply};
use tabiya_game::Timestamp;
use tabiya_play::desk::{DeskQuestion, Step};
use tabiya_play::request::{GameRequest, Request};

use super::saves::{Confirmation, Then, game_question};
use super::{LineEffect, LineGame};

/// What is done although something is lost by it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Discard {
    /// Leave the program.
    Leave,
    /// Start the same kind of game again.
    Again,
    /// Close the review.
    Review,
    /// Perform a command.
    Command(Box<Command>),
}

impl Discard {
    /// The command that asks.
    fn command(&self, question: DeskQuestion) -> &'static str {
        match self {
            Discard::Leave => "quit",
            Discard::Review => "back",
            Discard::Command(_) if matches!(question, DeskQuestion::TakeBack(_)) => "goto",
            Discard::Again | Discard::Command(_) => "new",
        }
    }
}

impl LineGame {
    /// Asks before a step that loses something; the next line answers. Returns `None` if nothing would be lost.
    pub(super) fn ask_unless_saved(
        &mut self,
        step: &Step<'_, Origin>,
        discard: Discard,
        now: Timestamp,
    ) -> Option<Vec<LineEffect>> {
        if !self.is_interactive {
            return None;
        }
        let question = self.desk.question_before(step, now)?;
        let sentence = wording::question(question, step, self.position());
        let reply = game_question(discard.command(question), &sentence);
        let declined = match question {
            DeskQuestion::TakeBack(_) => {
                Reply::text("goto", vec!["Your game stays as it is.".to_owned()])
            }
            DeskQuestion::LeaveServer | DeskQuestion::UnsavedGame | DeskQuestion::UnsavedReview => {
                Reply::text("save", vec![GAME_GOES_ON.to_owned()])
            }
        };
        let then = Then::Discard(discard);
        self.confirmation = Some(Confirmation { then, declined });
        Some(vec![LineEffect::Say(reply)])
    }

    /// Asks before a command that loses something.
    pub(super) fn ask_before(
        &mut self,
        command: &Command,
        now: Timestamp,
    ) -> Option<Vec<LineEffect>> {
        let step = if let Command::Table(Request::Game(GameRequest::Play(input))) = command {
            Step::Play(input)
        } else if matches!(command, Command::Open(OpenCommand::Review(Some(_)))) {
            Step::Review(None)
        } else if command.begins_game() {
            Step::NewGame
        } else {
            return None;
        };
        self.ask_unless_saved(&step, Discard::Command(Box::new(command.clone())), now)
    }

    /// Whether the game is on a server and not over.
    pub(super) fn is_on_server(&self) -> bool {
        !self.is_review() && self.table().is_remote() && self.table().session().outcome().is_none()
    }

    /// Does what loses something. Until another game has begun, an unsaved one stays unsaved: the command may still be
    /// refused.
    pub(super) fn discard(&mut self, discard: Discard, now: Timestamp) -> Vec<LineEffect> {
        match discard {
            Discard::Leave => self.leave(),
            Discard::Again => self.replace_with_the_next(now),
            Discard::Review => self.leave_review(now),
            Discard::Command(command) => self.perform(*command, now),
        }
    }

    /// Exits. If a game would be lost, asks first.
    pub(super) fn leave_or_ask(&mut self, now: Timestamp) -> Vec<LineEffect> {
        let asked = self.ask_unless_saved(&Step::Quit, Discard::Leave, now);
        asked.unwrap_or_else(|| self.leave())
    }

    /// Handles the end of the input. If it ends again at the question, the program exits.
    pub(crate) fn input_ended(&mut self, now: Timestamp) -> Vec<LineEffect> {
        match self.confirmation.take().map(|asked| asked.then) {
            Some(Then::Discard(Discard::Leave)) => self.leave(),
            Some(_) | None => self.leave_or_ask(now),
        }
    }
}
