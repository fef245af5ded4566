//! The keys of the game screen.
//!
//! Typing always means a move: while nothing is typed, only letters that cannot begin a move are shortcuts, and once
//! something is typed, none is. Shortcuts for commands run them by name. The key map decides which key has which
//! shortcut.

use crossterm::event::KeyEvent;
use tabiya_front::key_map::{FAR, KeyAction};
use tabiya_front::review::{Origin, Review};
use tabiya_play::request::{GameRequest, NotesRequest};
use tabiya_play::variations::VariationAction;

use crate::app::action::Action;
use crate::app::overlay::command_palette::CommandPalette;
use crate::app::overlay::dialog::Dialog;
use crate::app::overlay::menus;
use crate::app::press::{Edit, Press};
use crate::app::{App, Screen};

impl App {
    /// Handles a key on the game screen.
    pub(in crate::app) fn game_key(&mut self, key: KeyEvent) {
        let press = Press::from(key);
        if self.board().view.typing.is_refused() && press.is_char() {
            self.view_mut().typing.clear();
        }
        let typing = !self.board().view.typing.is_empty();
        match press {
            Press::Esc => self.escape(),
            Press::Enter if typing => self.request_typed_move(),
            Press::Enter => self.pick_or_drop(),
            // There is nothing to complete while it is an engine's turn.
            Press::Tab | Press::BackTab if self.board().opponent_to_move().is_some() => {}
            Press::Edit(Edit::Char(' ')) if !typing => self.pick_or_drop(),
            Press::Tab => self.board_mut().cycle(true),
            Press::BackTab => self.board_mut().cycle(false),
            Press::Up | Press::Down if typing && self.board().opponent_to_move().is_none() => {
                self.board_mut().cycle(press == Press::Down);
            }
            // In a review the arrows step through the game, until Enter shows the cursor.
            Press::Edit(Edit::Left) if !typing && self.board().arrows_walk() => self.walk(-1),
            Press::Edit(Edit::Right) if !typing && self.board().arrows_walk() => self.walk(1),
            Press::Up if !typing && self.board().arrows_walk() => {
                self.request(NotesRequest::Variation(VariationAction::Previous));
            }
            Press::Down if !typing && self.board().arrows_walk() => {
                self.request(NotesRequest::Variation(VariationAction::Next));
            }
            Press::Edit(Edit::Home) if !typing => self.walk(-FAR),
            Press::Edit(Edit::End) if !typing => self.walk(FAR),
            Press::Up if !typing => self.step(0, -1),
            Press::Down if !typing => self.step(0, 1),
            Press::Edit(Edit::Left) if !typing => self.step(-1, 0),
            Press::Edit(Edit::Right) if !typing => self.step(1, 0),
            Press::PageUp => self.walk(-2),
            Press::PageDown => self.walk(2),
            Press::Up | Press::Down | Press::Edit(_) => {
                // Keys with Ctrl edit the typed text. While nothing is typed, they can be shortcuts like letters.
                if let Some((_, shortcut)) = self.keys.find(key).filter(|_| !typing) {
                    return self.perform_shortcut(shortcut.action);
                }
                if self.view_mut().typing.edit(key) {
                    self.view_mut().held = None;
                    self.view_mut().cursor_shown = false;
                }
            }
        }
    }

    /// Moves the cursor on the board.
    fn step(&mut self, right: i8, down: i8) {
        if let Some(layout) = self.layout() {
            self.view_mut().step(&layout.board, (right, down));
        }
    }

    /// Performs a shortcut.
    pub(in crate::app) fn perform_shortcut(&mut self, action: KeyAction) {
        match action {
            KeyAction::Run(line) => self.perform_line(line),
            KeyAction::Walk(plies) => self.walk(plies),
            KeyAction::Arrow(arrow) => self.game_key(arrow.into()),
            KeyAction::Menu => self.open(menus::board(self)),
            KeyAction::Marks => self.open(menus::marks(self)),
            KeyAction::Type(text) => self.open(CommandPalette::with(text)),
        }
    }

    /// Cancels or leaves the innermost thing.
    fn escape(&mut self) {
        let board = self.board_mut();
        if !board.view.typing.is_empty() {
            board.view.typing.clear();
        } else if board.view.held.is_some() {
            board.view.held = None;
        } else if board.premove().is_some() {
            self.request(GameRequest::Premove(None));
        } else if board.view.clear_own_marks() || self.look_back() {
            // The board is without marks, or shows the current position again.
        } else if self.board().view.cursor_shown {
            self.view_mut().cursor_shown = false;
        } else if let Some(mistake) = self.desk.give_up_retry() {
            self.look_at(mistake);
            self.view_mut().say("Back in the review.");
        } else {
            self.go_back();
        }
    }

    /// Goes back to where the board was opened from. A player whose game goes on without them is asked first.
    fn go_back(&mut self) {
        let board = self.board();
        let plays = !board.is_review() && !board.opponents().nobody_plays();
        if plays && board.running_clock(self.now).is_some() {
            self.screens.home.chosen = 0;
            let title = "The clock runs on while you are away. Leave the board?";
            let leave = Action::Screen(Screen::Home);
            return self.open(Dialog::confirmation(title, leave));
        }
        let origin = self.board().reviewed.map(Review::source);
        self.screens.front = match origin {
            Some(Origin::File { .. }) => Screen::Picker,
            Some(Origin::Match(_)) => Screen::Match,
            Some(Origin::Save(..)) => {
                self.screens.front = Screen::Home;
                return self.open_saves();
            }
            Some(Origin::Game(_) | Origin::Database | Origin::Text) | None => {
                self.screens.home.chosen = 0;
                Screen::Home
            }
        };
    }
}
