//! What components can ask the full screen to do, and the one place that does it.

use std::path::PathBuf;

use ratatui::crossterm::event::KeyEvent;
use tabiya_game::{NodeId, Record};
use tabiya_play::opponents::Stranger;
use tabiya_play::request::{NotesRequest, Request};
use tabiya_play::table::Admission;
use tabiya_play::variations::Variation;
use tabiya_rules::Move;
use tabiya_store::SaveName;

use super::board::Board;
use super::boards::BoardId;
use super::overlay::form::Form;
use super::overlay::menus;
use super::overlay::palette::CommandPalette;
use super::review::Origin;
use super::{App, Overlay, Screen};
use crate::commands;
use crate::game_file::Extent;
use crate::key_map::FAR;
use crate::message::{Effect, FileEffect, StoreEffect};

/// Something for the full screen to do.
#[derive(Clone, Debug, Default)]
pub(crate) enum Act {
    #[default]
    Close,
    /// Presses a key as if no overlay were open.
    Press(KeyEvent),
    /// Opens an overlay.
    Open(Box<Overlay>),
    /// Opens the palette with the beginning of a command.
    Type(&'static str),
    /// Performs an effect.
    Effect(Effect),
    /// Performs a command.
    Perform(Box<commands::Command>),
    /// Performs a command that replaces the game, although it is not saved.
    PerformUnsaved(Box<commands::Command>),
    /// Changes a setting for good.
    ChangeSetting { key: &'static str, value: String },
    /// Runs a line of the command table.
    Run(&'static str),
    /// Goes to a screen.
    Screen(Screen),
    /// Puts a board in front.
    Board(BoardId),
    /// Sends a request to the table.
    Request(Box<Request>),
    /// Begins the game that was prepared when the program started.
    BeginLaidOut,
    /// Sets the player's name, and then does something else.
    Named(String, Box<Act>),
    /// Opens the form for a new game.
    Form,
    /// Opens the form for a game from the position on the screen.
    PlayOn,
    /// Starts an engine that only a save names, or gives its side to a person.
    Answer(Box<Stranger>, Admission),
    /// Opens the menu of marks.
    Marks,
    /// Shows a message.
    Show(&'static str, String),
    /// Steps through the game on the board.
    Walk(i64),
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
    /// Replaces a file.
    Replace(Box<Replacement>),
    /// Writes the reviewed game back into its file.
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

/// A text for an existing file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Replacement {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    /// Whether it has everything that was written in the review.
    pub(crate) is_review: bool,
}

impl Replacement {
    /// The file, and the text to write there.
    fn write(self, board: &mut Board) -> (PathBuf, String) {
        if self.is_review {
            board.mark_saving();
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
            Act::Perform(command) => self.perform(*command),
            Act::PerformUnsaved(command) => {
                self.save_state.is_unsaved = false;
                self.perform(*command);
            }
            Act::ChangeSetting { key, value } => self.change_setting_or_refuse(key, &value),
            Act::Run(line) => self.run(line),
            Act::Screen(screen) => self.screen = screen,
            Act::Board(id) => self.show_board(id),
            Act::Request(request) => {
                self.request(*request);
            }
            Act::BeginLaidOut => self.begin(),
            Act::Named(name, then) => {
                self.asks_name = false;
                self.remember("name", &name);
                let opponents = self.boards.game.table.opponents_mut();
                opponents.set_person_name(self.settings.player());
                self.act(*then);
            }
            Act::Form => self.open(Form::of(self)),
            Act::PlayOn => self.open(Form::from_position(self)),
            Act::Answer(stranger, answer) => {
                let table = &mut self.boards.game.table;
                let outcomes = table.answer_stranger(&stranger, answer, self.now);
                self.show_outcomes(BoardId::Game, outcomes);
            }
            Act::Marks => self.open(menus::marks(self)),
            Act::Show(title, line) => self.show(title, vec![line]),
            Act::Walk(plies) => self.walk(plies),
            Act::PlayExplored(played) => self.play_explored(played),
            Act::Delete(node) => {
                // An engine may have moved since.
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
                // The game may be in front: an engine can finish its judgment of a review at any time.
                if let Some(review) = &mut self.boards.review {
                    let game = review.reviewed_game();
                    review.mark_saving();
                    self.effects.push(StoreEffect::SaveOver { name, game });
                }
            }
            Act::Replace(replacement) => {
                let (path, text) = replacement.write(self.board_mut());
                self.effects.push(FileEffect::Replace { path, text });
            }
            Act::PutBack(replacement, extent) => {
                let (path, text) = replacement.write(self.board_mut());
                self.effects
                    .push(FileEffect::PutBack { path, extent, text });
            }
        }
    }
}
