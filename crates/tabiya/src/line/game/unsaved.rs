//! Unsaved games in the line mode: a user at a terminal is asked before one is lost.

use tabiya_game::{Event, EventKind, Timestamp};

use super::saves::{Confirmation, Then, careful_question};
use super::{LineEffect, LineGame};
use crate::commands::{Command, OpenCommand};
use crate::wording::{ANOTHER_GAME, GAME_GOES_ON, NOT_SAVED, REVIEW_CHANGED, Reply};

/// Why an unsaved game would be lost.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Discard {
    /// The program exits.
    Leave,
    /// The same kind of game starts again.
    Again,
    /// It is a review, and the user leaves it.
    Review,
    /// A command replaces it with another game.
    Command(Box<Command>),
}

impl Discard {
    /// The question before a review or a game is lost.
    fn question(&self, is_about_review: bool) -> String {
        match self {
            Discard::Leave if is_about_review => format!("{REVIEW_CHANGED} Leave anyway?"),
            Discard::Leave => format!("{NOT_SAVED} Leave anyway?"),
            Discard::Review => format!("{REVIEW_CHANGED} Leave it anyway?"),
            Discard::Again | Discard::Command(_) => ANOTHER_GAME.to_owned(),
        }
    }

    /// The command that asks.
    fn command(&self) -> &'static str {
        match self {
            Discard::Leave => "quit",
            Discard::Review => "back",
            Discard::Again | Discard::Command(_) => "new",
        }
    }
}

impl LineGame {
    /// Records changes to a game that is not saved.
    pub(super) fn mark_unsaved(&mut self, happened: &[Event]) {
        *self.unsaved_mut() |= happened.iter().any(is_written);
    }

    /// Asks before an unsaved game is lost; the next line answers. Returns `None` if nothing would be lost.
    pub(super) fn ask_unless_saved(&mut self, discard: Discard) -> Option<Vec<LineEffect>> {
        let is_lost = match discard {
            Discard::Leave => self.has_unsaved_changes(),
            Discard::Review => self.has_unsaved_review(),
            Discard::Again | Discard::Command(_) => *self.unsaved_mut(),
        };
        if !self.asks || !is_lost {
            return None;
        }
        let sentence = discard.question(!self.is_unsaved);
        Some(self.ask_about(discard, &sentence))
    }

    /// Asks before an unsaved game is discarded.
    fn ask_about(&mut self, discard: Discard, sentence: &str) -> Vec<LineEffect> {
        let reply = careful_question(discard.command(), sentence);
        self.confirmation = Some(Confirmation {
            then: Then::Discard(discard),
            declined: Reply::text("save", vec![GAME_GOES_ON.to_owned()]),
        });
        vec![LineEffect::Say(reply)]
    }

    /// Asks the same before a command replaces this game.
    pub(super) fn ask_before(
        &mut self,
        command: &Command,
        now: Timestamp,
    ) -> Option<Vec<LineEffect>> {
        if let Some(asked) = self.ask_to_take_back(command, now) {
            return Some(asked);
        }
        let replaces_review = matches!(command, Command::Open(OpenCommand::Review(Some(_))));
        if !(command.begins_game() || replaces_review && self.is_review()) {
            return None;
        }
        let discard = Discard::Command(Box::new(command.clone()));
        if self.is_on_server() && self.asks {
            let sentence = "The game goes on at the server without you. Leave it anyway?";
            return Some(self.ask_about(discard, sentence));
        }
        self.ask_unless_saved(discard)
    }

    /// Whether the game is on a server and not over.
    pub(super) fn is_on_server(&self) -> bool {
        !self.is_review() && self.table().is_remote() && self.table().session().outcome().is_none()
    }

    /// Carries out what discards the game. Until another has begun, it stays unsaved: the command may still be refused.
    pub(super) fn discard_game(&mut self, discard: Discard, now: Timestamp) -> Vec<LineEffect> {
        match discard {
            Discard::Leave => self.leave(),
            Discard::Again => self.replace_with_the_next(now),
            Discard::Review => self.leave_review(now),
            Discard::Command(command) => self.perform(*command, now),
        }
    }

    /// Exits. If a game would be lost, asks first.
    pub(super) fn leave_or_ask(&mut self) -> Vec<LineEffect> {
        let asked = self.ask_unless_saved(Discard::Leave);
        asked.unwrap_or_else(|| self.leave())
    }

    /// Handles the end of the input. If it ends again at the question, the program exits.
    pub(crate) fn input_ended(&mut self) -> Vec<LineEffect> {
        match self.confirmation.take().map(|asked| asked.then) {
            Some(Then::Discard(Discard::Leave)) => self.leave(),
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
