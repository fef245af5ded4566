//! The mouse: what lies under it comes with the message, from the same geometry that the drawing uses.

use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Position as Cell;
use tabiya_game::MarkColor;
use tabiya_rules::Square;

use super::{App, Overlay, Screen, moves};
use crate::message::{Pressed, Under};
use crate::tui::board::Mark;

const CLICK: MouseEventKind = MouseEventKind::Down(MouseButton::Left);

impl App {
    pub(super) fn mouse(&mut self, event: MouseEvent, under: Under) {
        if !self.look.mouse {
            return;
        }
        let kind = event.kind;
        if kind == CLICK {
            match (&under, &self.overlay) {
                (Under::Key(key), _) => return self.key(*key),
                // Beside what lies over the screen: on a hint that belongs to it, or as good as Esc.
                (Under::Hint(pressed), Some(_)) => return self.press_hint(*pressed),
                (Under::Beside, Some(_)) => {
                    return self.key(KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE));
                }
                _ => {}
            }
        }
        if self.overlay.is_some() {
            return self.mouse_on_overlay(kind, &under);
        }
        match (self.screen, kind, under) {
            (Screen::Home, CLICK, Under::Row(item)) => self.home_choose(item),
            (Screen::Home, ..) => {}
            (Screen::Picker, MouseEventKind::ScrollUp, _) => {
                self.picker_scroll(-3);
            }
            (Screen::Picker, MouseEventKind::ScrollDown, _) => {
                self.picker_scroll(3);
            }
            (Screen::Picker, CLICK, Under::Row(game)) => self.open_listed(game),
            (Screen::Picker, ..) => {}
            (Screen::Match, kind, under) => {
                self.mouse_on_match(kind, &under);
                self.read_match();
            }
            (Screen::Game, kind, under) => {
                self.mouse_on_game(kind, Cell::new(event.column, event.row), under);
            }
        }
    }

    fn mouse_on_match(&mut self, kind: MouseEventKind, under: &Under) {
        let Some(watch) = &mut self.watch else { return };
        match (kind, under) {
            (MouseEventKind::ScrollUp, _) => watch.step(-1),
            (MouseEventKind::ScrollDown, _) => watch.step(1),
            (CLICK, Under::Game(number)) => {
                watch.chosen = Some(*number);
                watch.grid = false;
            }
            _ => {}
        }
    }

    fn press_hint(&mut self, pressed: Pressed) {
        match pressed {
            Pressed::Shortcut(shortcut) => self.press(shortcut),
            Pressed::Key(key) => self.key(key),
        }
    }

    fn mouse_on_overlay(&mut self, kind: MouseEventKind, under: &Under) {
        let row = match *under {
            Under::Row(row) => Some(row),
            _ => None,
        };
        match (&mut self.overlay, kind, row) {
            (Some(Overlay::Dialog(dialog)), CLICK, Some(choice)) => {
                let dialog = dialog.clone();
                self.overlay = None;
                self.choose(&dialog, choice);
            }
            (Some(Overlay::Text(_)), MouseEventKind::Down(_), _) => self.overlay = None,
            (Some(Overlay::Text(sheet)), MouseEventKind::ScrollDown, _) => {
                sheet.scroll_by(3, self.size);
            }
            (Some(Overlay::Text(sheet)), MouseEventKind::ScrollUp, _) => {
                sheet.scroll_by(-3, self.size);
            }
            (Some(Overlay::Help(help)), MouseEventKind::ScrollDown, _) => help.scroll_by(3),
            (Some(Overlay::Help(help)), MouseEventKind::ScrollUp, _) => help.scroll_by(-3),
            (Some(Overlay::Palette(palette)), CLICK, Some(entry)) => {
                let palette = palette.clone();
                self.palette_click(palette, entry);
            }
            (
                Some(
                    Overlay::Palette(_)
                    | Overlay::Dialog(_)
                    | Overlay::Settings(_)
                    | Overlay::Engines(_),
                ),
                MouseEventKind::ScrollUp | MouseEventKind::ScrollDown,
                _,
            ) => {
                let code = match kind {
                    MouseEventKind::ScrollUp => KeyCode::Up,
                    _ => KeyCode::Down,
                };
                self.key(KeyEvent::new(code, KeyModifiers::NONE));
            }
            (Some(Overlay::Form(form)), kind, _) => {
                if let Under::Field(row, part) = *under {
                    let form = form.clone();
                    self.form_mouse(form, kind, (row, part));
                }
            }
            (Some(Overlay::Settings(form)), CLICK, Some(row)) => {
                let form = form.clone();
                self.settings_click(form, row);
            }
            (Some(Overlay::Engines(form)), CLICK, Some(row)) => {
                let form = form.clone();
                self.engines_click(form, row);
            }
            (Some(Overlay::Saves(_)), kind, line) => self.saves_mouse(kind, line),
            _ => {}
        }
    }

    fn mouse_on_game(&mut self, kind: MouseEventKind, at: Cell, under: Under) {
        let Some(layout) = self.layout() else {
            return;
        };
        let square = layout.board.square_at(at);
        match (kind, square) {
            (MouseEventKind::ScrollUp, _) => self.walk(-1),
            (MouseEventKind::ScrollDown, _) => self.walk(1),
            (CLICK, Some(square)) => self.press_square(square),
            (MouseEventKind::Drag(MouseButton::Left), Some(square))
                if self.table.dragged.is_some() =>
            {
                self.table.cursor = square;
                self.table.cursor_shown = true;
            }
            (MouseEventKind::Up(MouseButton::Left), square) => self.release(square),
            (MouseEventKind::Down(MouseButton::Right), square) => self.table.marking = square,
            (MouseEventKind::Up(MouseButton::Right), square) => self.mark(square),
            (CLICK, None) => {
                let list = moves::areas(&self.table, layout.moves).list;
                if let Some(node) = moves::move_at(&self.table, list, at) {
                    self.view(node);
                } else {
                    self.click_beside_the_board(under);
                }
            }
            _ => {}
        }
    }

    fn click_beside_the_board(&mut self, under: Under) {
        match under {
            Under::Hint(pressed) => self.press_hint(pressed),
            Under::WayBack => {
                self.table.viewed = None;
                self.table.held = None;
            }
            Under::Candidate(candidate) => {
                self.table.typing.line.set(&candidate);
                self.table.typing.edited();
                self.submit();
            }
            Under::Nothing
            | Under::Key(_)
            | Under::Beside
            | Under::Row(_)
            | Under::Field(..)
            | Under::Game(_) => {}
        }
    }

    fn press_square(&mut self, square: Square) {
        self.table.cursor = square;
        self.table.cursor_shown = false;
        self.table.typing.clear();
        let held = self.table.held;
        self.touch(square);
        if held.is_some() && self.table.held == held {
            // It may not go there. Whoever clicks elsewhere lets it go; whoever walks with the cursor walks on.
            self.table.held = None;
        }
        // A piece that was just taken may be dragged. One that was held already is put back by the click.
        self.table.dragged = self
            .table
            .held
            .filter(|&now| now == square && held != Some(square));
        if self.table.held.is_none() && held.is_none() && !self.table.is_review() {
            self.table.marks.clear();
        }
    }

    fn release(&mut self, square: Option<Square>) {
        let Some(from) = self.table.dragged.take() else {
            return;
        };
        self.table.cursor_shown = false;
        match square {
            // A click: the piece stays in the hand. Only now it is known that it is not dragged somewhere.
            Some(square) if square == from => self.explain_held(),
            Some(square) => {
                self.play_squares(from, square);
                self.table.held = None;
            }
            None => self.table.held = None,
        }
    }

    /// Marks a square, or draws an arrow; the same again takes it away.
    fn mark(&mut self, square: Option<Square>) {
        let (Some(from), Some(to)) = (self.table.marking.take(), square) else {
            return;
        };
        let mark = if from == to {
            Mark::Square(from, MarkColor::Green)
        } else {
            Mark::Arrow(from, to, MarkColor::Green)
        };
        if self.table.is_review() {
            self.keep_mark(mark);
            return;
        }
        let marks = &mut self.table.marks;
        match marks.iter().position(|&known| known == mark) {
            Some(known) => {
                marks.remove(known);
            }
            None => marks.push(mark),
        }
    }
}
