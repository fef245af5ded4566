//! Unsaved games in the line mode: a user at a terminal is asked before one is lost.

use tabiya_game::{Event, EventKind, Timestamp};

use super::saves::{Confirmation, Then, careful_question};
use super::{Effect, LineGame};
use crate::commands::{Command, OpenCommand};
use crate::wording::{ANOTHER_GAME, GAME_GOES_ON, Reply};

/// Why an unsaved game would be lost.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Loss {
    /// The program exits.
    Leave,
    /// The same kind of game starts again.
    Again,
    /// It is a review, and the user leaves it.
    Review,
    /// A command replaces it with another game.
    Command(Box<Command>),
}

impl Loss {
    fn question(&self) -> &'static str {
        match self {
            Loss::Leave => "The game is not kept. Leave all the same?",
            Loss::Review => "The review has changes that no file has. Leave it all the same?",
            Loss::Again | Loss::Command(_) => ANOTHER_GAME,
        }
    }

    /// The command that asks.
    fn command(&self) -> &'static str {
        match self {
            Loss::Leave => "quit",
            Loss::Review => "back",
            Loss::Again | Loss::Command(_) => "new",
        }
    }
}

impl LineGame {
    /// Records changes to a game that is not saved.
    pub(super) fn mark_unsaved(&mut self, happened: &[Event]) {
        self.is_unsaved |= happened.iter().any(is_written);
    }

    /// Asks before an unsaved game is lost; the next line answers. Returns `None` if nothing would be lost.
    pub(super) fn ask_unless_saved(&mut self, loss: Loss) -> Option<Vec<Effect>> {
        let leaves_all = loss == Loss::Leave && self.has_unsaved_game();
        if !self.asks || !(self.is_unsaved || leaves_all) {
            return None;
        }
        let is_about_review = loss == Loss::Leave && self.is_review() && !self.has_unsaved_game();
        let sentence = match is_about_review {
            true => "The review has changes that no file has. Leave all the same?",
            false => loss.question(),
        };
        Some(self.ask_about(loss, sentence))
    }

    /// Asks before the game is lost.
    fn ask_about(&mut self, loss: Loss, sentence: &str) -> Vec<Effect> {
        let reply = careful_question(loss.command(), sentence);
        self.confirmation = Some(Confirmation {
            then: Then::Lose(loss),
            declined: Reply::text("save", vec![GAME_GOES_ON.to_owned()]),
        });
        vec![Effect::Say(reply)]
    }

    /// Asks the same before a command replaces this game.
    pub(super) fn ask_before(&mut self, command: &Command) -> Option<Vec<Effect>> {
        if let Some(asked) = self.ask_to_take_back(command) {
            return Some(asked);
        }
        let replaces_review = matches!(command, Command::Open(OpenCommand::Review(Some(_))));
        if !(command.begins_game() || replaces_review && self.is_review()) {
            return None;
        }
        let loss = Loss::Command(Box::new(command.clone()));
        if self.is_on_server() && self.asks {
            let sentence = "The game goes on at the server without you. Leave it all the same?";
            return Some(self.ask_about(loss, sentence));
        }
        self.ask_unless_saved(loss)
    }

    /// Whether the game is on a server and not over.
    pub(super) fn is_on_server(&self) -> bool {
        !self.is_review() && self.table.is_remote() && self.table.session().outcome().is_none()
    }

    /// Carries out what discards the game. Until another has begun, it stays unsaved: the command may still be refused.
    pub(super) fn lose(&mut self, loss: Loss, now: Timestamp) -> Vec<Effect> {
        match loss {
            Loss::Leave => self.leave(),
            Loss::Again => self.replace_with_the_next(now),
            Loss::Review => self.leave_review(now),
            Loss::Command(command) => self.perform(*command, now),
        }
    }

    /// Exits. If a game would be lost, asks first.
    pub(super) fn leave_or_ask(&mut self) -> Vec<Effect> {
        let asked = self.ask_unless_saved(Loss::Leave);
        asked.unwrap_or_else(|| self.leave())
    }

    /// Handles the end of the input. If it ends again at the question, the program exits.
    pub(crate) fn input_ended(&mut self) -> Vec<Effect> {
        match self.confirmation.take().map(|asked| asked.then) {
            Some(Then::Lose(Loss::Leave)) => self.leave(),
            Some(_) | None => self.leave_or_ask(),
        }
    }
}

/// Whether an event changes what a file of the game would show.
fn is_written(event: &Event) -> bool {
    match event.kind() {
        EventKind::Move
        | EventKind::End
        | EventKind::Annotation
        | EventKind::Tag
        | EventKind::Variation => true,
        EventKind::Walk | EventKind::Game | EventKind::Act => false,
    }
}
