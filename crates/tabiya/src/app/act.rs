//! What a component asks the full screen to do: the one list of it, and the one place where it is done.

use std::path::PathBuf;

use ratatui::crossterm::event::KeyEvent;
use tabiya_game::{Command, DrawPolicy, Glyph, NodeId, Record};
use tabiya_play::opponents::Stranger;
use tabiya_play::players::PlayerSpec;
use tabiya_play::request::NewRequest;
use tabiya_play::variations::Variation;
use tabiya_rules::Color;
use tabiya_store::SaveName;

use super::boards::Front;
use super::overlay::form::Form;
use super::overlay::menus;
use super::overlay::palette::CommandPalette;
use super::review::Origin;
use super::strangers::Answer;
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
    Settle {
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
    /// Changes the game.
    Apply(Command),
    /// Takes back, without anyone to ask.
    Undo,
    Rematch,
    /// Begins the game that was laid out when the program began.
    BeginLaidOut,
    /// Begins the same kind of game against somebody.
    PlayAgainst(PlayerSpec, Option<Color>),
    /// Opens the form for a new game.
    Form,
    /// Opens the form for a game from the position on the screen.
    PlayOn,
    /// Begins the game of a form.
    Begin(Box<NewRequest>, DrawPolicy),
    /// The same, although the game that is played is not kept.
    BeginAnyway(Box<NewRequest>, DrawPolicy),
    /// Starts an engine that only a save knows.
    Admit(Box<Stranger>),
    /// Leaves its side to a person.
    TurnAway(Box<Stranger>),
    /// Marks the move on the screen.
    Glyph(Option<Glyph>),
    /// Opens the choice of marks.
    Marks,
    Vary(Variation),
    /// Deletes a move and what follows it.
    Delete(NodeId),
    /// Looks back at the game.
    Review,
    /// Opens a game in the place of another review.
    OpenReview(Box<Record>, Origin),
    /// Opens a game of the match, at its end.
    ReviewMatch(Box<Record>, u32),
    /// Lets the engine judge the game.
    Study,
    /// Goes to the next mistake.
    Retry,
    /// Puts the reviewed game in the place of a save.
    SaveOver(SaveName),
    /// Writes a text in the place of a file.
    Replace(Box<Replacement>),
    /// Puts the reviewed game back into its file.
    PutBack(Box<Replacement>, Extent),
}

impl Act {
    pub(crate) fn open(overlay: impl Into<Overlay>) -> Act {
        Act::Open(Box::new(overlay.into()))
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
                self.keeping.is_unsaved = false;
                self.perform(*request);
            }
            Act::Settle { key, value } => {
                if let Err(error) = self.settle(key, &value) {
                    self.table.refuse(error.to_string());
                }
            }
            Act::Run(line) => self.run(line),
            Act::Home => self.screen = Screen::Home,
            Act::Board(front) => self.show_board(front),
            Act::Match => self.screen = Screen::Match,
            Act::Picker => self.screen = Screen::Picker,
            Act::Apply(command @ Command::Play(_)) => {
                self.play(command);
            }
            Act::Apply(command) => {
                self.apply(command);
            }
            Act::Undo => self.undo(1),
            Act::Rematch => self.rematch(),
            Act::BeginLaidOut => self.begin(),
            Act::PlayAgainst(opponent, side) => self.play_against(opponent, side),
            Act::Form => self.open(Form::of(self)),
            Act::PlayOn => self.open(Form::from_position(self)),
            Act::Begin(asked, draws) => {
                let another = Act::BeginAnyway(asked.clone(), draws);
                if !self.asks_before_another_game(another) {
                    self.begin_form(*asked, draws);
                }
            }
            Act::BeginAnyway(asked, draws) => {
                self.keeping.is_unsaved = false;
                self.begin_form(*asked, draws);
            }
            Act::Admit(stranger) => self.answer_about_stranger(&stranger, Answer::Start),
            Act::TurnAway(stranger) => self.answer_about_stranger(&stranger, Answer::TurnAway),
            Act::Glyph(glyph) => self.set_glyph(glyph),
            Act::Marks => self.open(menus::marks(self)),
            Act::Vary(wish) => self.variation(wish),
            Act::Delete(node) => self.delete_line(node),
            Act::Review => self.review_game(),
            Act::OpenReview(record, origin) => self.replace_review(*record, origin),
            Act::ReviewMatch(record, number) => {
                if self.open_review(*record, Origin::Match(number)) {
                    self.walk(FAR);
                }
            }
            Act::Study => self.study(PlayerSpec::Bot(None)),
            Act::Retry => self.retry(),
            Act::SaveOver(name) => {
                let game = self.table.reviewed_game();
                self.table.saving();
                self.effects.push(StoreEffect::SaveOver { name, game });
            }
            Act::Replace(replacement) => {
                let Replacement {
                    path,
                    text,
                    is_review,
                } = *replacement;
                if is_review {
                    self.table.saving();
                }
                self.effects.push(FileEffect::Replace { path, text });
            }
            Act::PutBack(replacement, extent) => {
                let Replacement {
                    path,
                    text,
                    is_review,
                } = *replacement;
                if is_review {
                    self.table.saving();
                }
                self.effects
                    .push(FileEffect::PutBack { path, extent, text });
            }
        }
    }
}
