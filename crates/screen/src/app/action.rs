//! What components can ask the full screen to do, and the one place that does it.

use crossterm::event::KeyEvent;
use tabiya_game::{NodeId, Record};
use tabiya_play::request::NotesRequest;
use tabiya_play::variations::VariationAction;
use tabiya_rules::Move;
use tabiya_store::SaveName;
use tabiya_train::trainer::Request;

use super::overlay::form::Form;
use super::{App, Overlay, Screen};
use crate::message::{Effect, StoreEffect};
use tabiya_front::commands;
use tabiya_front::key_map::{FAR, KeyAction};
use tabiya_front::review::{Origin, reviewed_game};
use tabiya_play::desk::{BoardId, DeskRequest};

/// Something for the full screen to do.
#[derive(Clone, Debug, Default)]
pub(crate) enum Action {
    #[default]
    Close,
    /// Presses a key as if no overlay were open.
    Press(KeyEvent),
    /// Opens an overlay.
    Open(Box<Overlay>),
    /// Performs the action of a shortcut.
    Key(KeyAction),
    /// Performs an effect.
    Effect(Effect),
    /// Performs a command.
    Perform(Box<commands::Command>),
    /// Performs a command although a game is lost by it.
    PerformAnyway(Box<commands::Command>),
    /// Changes a setting for good.
    ChangeSetting { key: &'static str, value: String },
    /// Goes to a screen.
    Screen(Screen),
    /// Puts a board in front.
    Board(BoardId),
    /// Sends a request to the desk.
    Request(Box<DeskRequest<Origin>>),
    /// Begins the game that was prepared when the program started.
    BeginPrepared,
    /// Sets the player's name, and then does something else.
    Named(String, Box<Action>),
    /// Does something in the training session.
    Train(Request),
    /// Opens the form for a new game.
    Form,
    /// Opens the form for a game from the position on the screen.
    PlayOn,
    /// Shows a message.
    Show(&'static str, String),
    /// Plays a move of the explorer.
    PlayExplored(Move),
    /// Deletes a move and those after it.
    Delete(NodeId),
    /// Opens a game in place of the current review.
    OpenReview(Box<Record>, Origin),
    /// Opens a game of the match at its end.
    ReviewMatch(Box<Record>, u32),
    /// Replaces the game of a save with the reviewed one.
    SaveOver(SaveName),
}

impl Action {
    pub(crate) fn open(overlay: impl Into<Overlay>) -> Action {
        Action::Open(Box::new(overlay.into()))
    }

    pub(crate) fn request(request: impl Into<DeskRequest<Origin>>) -> Action {
        Action::Request(Box::new(request.into()))
    }

    pub(crate) fn perform(command: impl Into<commands::Command>) -> Action {
        Action::Perform(Box::new(command.into()))
    }

    pub(crate) fn effect(effect: impl Into<Effect>) -> Action {
        Action::Effect(effect.into())
    }
}

impl App {
    /// Does what a component asks for.
    pub(super) fn perform(&mut self, act: Action) {
        match act {
            Action::Close => {}
            Action::Press(key) => self.key(key),
            Action::Open(overlay) => self.overlay = Some(*overlay),
            Action::Key(action) => self.perform_shortcut(action),
            Action::Effect(effect) => self.effects.push(effect),
            Action::Perform(command) => self.perform_command(*command),
            Action::PerformAnyway(command) => self.perform_command_anyway(*command),
            Action::ChangeSetting { key, value } => self.change_setting_or_refuse(key, &value),
            Action::Screen(screen) => self.screens.front = screen,
            Action::Board(id) => self.show_board(id),
            Action::Request(request) => {
                self.request(*request);
            }
            Action::BeginPrepared => self.begin(),
            Action::Named(name, then) => {
                self.reminders.asks_name = false;
                self.remember("name", &name);
                self.desk.set_player(self.settings.player());
                self.perform(*then);
            }
            Action::Train(request) => self.train(request),
            Action::Form => self.open(Form::of(self)),
            Action::PlayOn => self.open(Form::from_position(self)),
            Action::Show(title, line) => self.show(title, vec![line]),
            Action::PlayExplored(played) => self.play_explored(played),
            Action::Delete(node) => {
                // An engine may have moved since.
                self.look_at(node);
                self.request(NotesRequest::Variation(VariationAction::Delete));
            }
            Action::OpenReview(record, origin) => self.replace_review(*record, origin),
            Action::ReviewMatch(record, number) => {
                if self.open_review(*record, Origin::Match(number)) {
                    self.walk(FAR);
                }
            }
            Action::SaveOver(name) => {
                // The game may be in front: an engine can finish its judgment of a review at any time.
                if let Some(game) = self.desk.review().map(reviewed_game) {
                    self.effects.push(StoreEffect::SaveOver { name, game });
                }
            }
        }
    }
}
