//! What a component asks the full screen to do: the one list of it, and the one place where it is done.

use std::path::PathBuf;

use ratatui::crossterm::event::KeyEvent;
use tabiya_game::{NodeId, Record};
use tabiya_play::opponents::Stranger;
use tabiya_play::request::{NotesRequest, Request};
use tabiya_play::table::Admission;
use tabiya_play::variations::Variation;
use tabiya_store::SaveName;

use super::board::Board;
use super::boards::Front;
use super::overlay::form::Form;
use super::overlay::menus;
use super::overlay::palette::CommandPalette;
use super::review::Origin;
use super::{App, Overlay, Screen};
use crate::commands;
use crate::game_file::Extent;
use crate::key_map::FAR;
use crate::message::{Effect, FileEffect, StoreEffect};

/// What is to be done.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    Close,
    /// Presses a key, as if nothing had been in front.
    Press(KeyEvent),
    /// Opens something over the screen.
    Open(Box<Overlay>),
    /// Opens the palette with the beginning of a command.
    Type(&'static str),
    /// Has something done outside.
    Effect(Effect),
    /// Does what a command says.
    Perform(Box<commands::Command>),
    /// Does what begins another game, although this one is not kept.
    Anyway(Box<commands::Command>),
    /// Settles something from now on.
    ChangeSetting {
        key: &'static str,
        value: String,
    },
    /// Runs a line of the command table.
    Run(&'static str),
    Home,
    /// Puts a board in front.
    Board(Front),
    /// Shows the match.
    Match,
    /// Shows the games of the file again.
    Picker,
    /// Has the table do what is asked for.
    Request(Box<Request>),
    /// Begins the game that was laid out when the program began.
    BeginLaidOut,
    /// Takes what the player is called from now on, and then does something.
    Named(String, Box<Act>),
    /// Opens the form for a new game.
    Form,
    /// Opens the form for a game from the position on the screen.
    PlayOn,
    /// Starts an engine that only a save knows, or leaves its side to a person.
    Answer(Box<Stranger>, Admission),
    /// Opens the choice of marks.
    Marks,
    /// Deletes a move and what follows it.
    Delete(NodeId),
    /// Opens a game instead of the current review.
    OpenReview(Box<Record>, Origin),
    /// Opens a game of the match, at its end.
    ReviewMatch(Box<Record>, u32),
    /// Replaces a save by the reviewed game.
    SaveOver(SaveName),
    /// Replaces a file by a text.
    Replace(Box<Replacement>),
    /// Puts the reviewed game back into its file.
    PutBack(Box<Replacement>, Extent),
}

impl Act {
    pub(crate) fn open(overlay: impl Into<Overlay>) -> Act {
        Act::Open(Box::new(overlay.into()))
    }

    pub(crate) fn request(request: impl Into<Request>) -> Act {
        Act::Request(Box::new(request.into()))
    }

    pub(crate) fn perform(command: impl Into<commands::Command>) -> Act {
        Act::Perform(Box::new(command.into()))
    }

    pub(crate) fn effect(effect: impl Into<Effect>) -> Act {
        Act::Effect(effect.into())
    }
}

/// A text for a file that is there already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Replacement {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    /// Whether everything that was written in the review is in it.
    pub(crate) is_review: bool,
}

impl Replacement {
    /// The file, and the text that is written there.
    fn write(self, board: &mut Board) -> (PathBuf, String) {
        if self.is_review {
            board.saving();
        }
        (self.path, self.text)
    }
}

impl App {
    pub(super) fn act(&mut self, act: Act) {
        match act {
            Act::Close => {}
            Act::Press(key) => self.key(key),
            Act::Open(overlay) => self.overlay = Some(*overlay),
            Act::Type(text) => self.open(CommandPalette::with(text)),
            Act::Effect(effect) => self.effects.push(effect),
            Act::Perform(request) => self.perform(*request),
            Act::Anyway(request) => {
                self.save_state.is_unsaved = false;
                self.perform(*request);
            }
            Act::ChangeSetting { key, value } => self.change_setting_or_refuse(key, &value),
            Act::Run(line) => self.run(line),
            Act::Home => self.screen = Screen::Home,
            Act::Board(front) => self.show_board(front),
            Act::Match => self.screen = Screen::Match,
            Act::Picker => self.screen = Screen::Picker,
            Act::Request(request) => {
                self.request(*request);
            }
            Act::BeginLaidOut => self.begin(),
            Act::Named(name, then) => {
                self.take_name(&name);
                self.act(*then);
            }
            Act::Form => self.open(Form::of(self)),
            Act::PlayOn => self.open(Form::from_position(self)),
            Act::Answer(stranger, answer) => self.answer_about_stranger(&stranger, answer),
            Act::Marks => self.open(menus::marks(self)),
            Act::Delete(node) => {
                // An engine may have moved meanwhile.
                self.look_at(node);
                self.request(NotesRequest::Variation(Variation::Delete));
            }
            Act::OpenReview(record, origin) => self.replace_review(*record, origin),
            Act::ReviewMatch(record, number) => {
                if self.open_review(*record, Origin::Match(number)) {
                    self.walk(FAR);
                }
            }
            Act::SaveOver(name) => {
                let game = self.board.reviewed_game();
                self.board.saving();
                self.effects.push(StoreEffect::SaveOver { name, game });
            }
            Act::Replace(replacement) => {
                let (path, text) = replacement.write(&mut self.board);
                self.effects.push(FileEffect::Replace { path, text });
            }
            Act::PutBack(replacement, extent) => {
                let (path, text) = replacement.write(&mut self.board);
                self.effects
                    .push(FileEffect::PutBack { path, extent, text });
            }
        }
    }
}
