//! The mouse: what lies under it comes from the same geometry that the drawing uses.

use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Position as Cell;
use tabiya_rules::Square;

use super::{App, Overlay, Screen, moves};
use crate::message::Effect;
use crate::screens;
use crate::screens::hints::Pressed;
use crate::tui::board::Mark;

impl App {
    pub(super) fn mouse(&mut self, event: MouseEvent) -> Vec<Effect> {
        if !self.look.mouse {
            return Vec::new();
        }
        let at = Cell::new(event.column, event.row);
        let clicked = event.kind == MouseEventKind::Down(MouseButton::Left);
        if clicked && let Some(key) = screens::key_at(self, at) {
            return self.key(key);
        }
        if self.overlay.is_some() {
            let inside = screens::overlay_area(self).is_some_and(|area| area.contains(at));
            return if clicked && !inside {
                self.click_outside(at)
            } else {
                self.mouse_on_overlay(event.kind, at)
            };
        }
        match (self.screen, event.kind) {
            (Screen::Home, MouseEventKind::Down(MouseButton::Left)) => {
                match screens::home::item_at(self, at) {
                    Some(item) => self.home_choose(item),
                    None => Vec::new(),
                }
            }
            (Screen::Home, _) => Vec::new(),
            (Screen::Picker, MouseEventKind::ScrollUp) => {
                self.picker_scroll(-3);
                Vec::new()
            }
            (Screen::Picker, MouseEventKind::ScrollDown) => {
                self.picker_scroll(3);
                Vec::new()
            }
            (Screen::Picker, MouseEventKind::Down(MouseButton::Left)) => {
                match screens::picker::game_at(self, at) {
                    Some(game) => self.open_listed(game),
                    None => Vec::new(),
                }
            }
            (Screen::Picker, _) => Vec::new(),
            (Screen::Match, kind) => {
                self.mouse_on_match(kind, at);
                self.read_match()
            }
            (Screen::Game, kind) => self.mouse_on_game(kind, at),
        }
    }

    fn mouse_on_match(&mut self, kind: MouseEventKind, at: Cell) {
        let clicked = match kind {
            MouseEventKind::Down(MouseButton::Left) => screens::watch::game_at(self, at),
            _ => None,
        };
        let Some(watch) = &mut self.watch else { return };
        match kind {
            MouseEventKind::ScrollUp => watch.step(-1),
            MouseEventKind::ScrollDown => watch.step(1),
            _ => {
                if clicked.is_some() {
                    watch.chosen = clicked;
                    watch.grid = false;
                }
            }
        }
    }

    /// A click beside what lies over the screen: on a hint that belongs to it, or as good as Esc.
    fn click_outside(&mut self, at: Cell) -> Vec<Effect> {
        let hints = self.layout().filter(|_| self.screen == Screen::Game);
        let hint = hints.and_then(|layout| screens::hints::hint_at(self, layout.hints, at));
        match hint {
            Some(pressed) => self.press_hint(pressed),
            None => self.key(KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE)),
        }
    }

    fn press_hint(&mut self, pressed: Pressed) -> Vec<Effect> {
        match pressed {
            Pressed::Shortcut(shortcut) => self.press(shortcut),
            Pressed::Key(key) => self.key(key),
        }
    }

    fn mouse_on_overlay(&mut self, kind: MouseEventKind, at: Cell) -> Vec<Effect> {
        let room = screens::dialog::Room::of(self);
        match (&mut self.overlay, kind) {
            (Some(Overlay::Dialog(dialog)), MouseEventKind::Down(MouseButton::Left)) => {
                if let Some(choice) = screens::dialog::choice_at(dialog, room, at) {
                    let dialog = dialog.clone();
                    self.overlay = None;
                    return self.choose(&dialog, choice);
                }
            }
            (Some(Overlay::Text(_)), MouseEventKind::Down(_)) => self.overlay = None,
            (Some(Overlay::Text(sheet)), MouseEventKind::ScrollDown) => {
                sheet.scroll_by(3, self.size);
            }
            (Some(Overlay::Text(sheet)), MouseEventKind::ScrollUp) => {
                sheet.scroll_by(-3, self.size);
            }
            (Some(Overlay::Help(help)), MouseEventKind::ScrollDown) => help.scroll_by(3),
            (Some(Overlay::Help(help)), MouseEventKind::ScrollUp) => help.scroll_by(-3),
            (Some(Overlay::Palette(palette)), MouseEventKind::Down(MouseButton::Left)) => {
                if let Some(entry) = screens::palette::offer_at(palette, self.size, at) {
                    let palette = palette.clone();
                    return self.palette_click(palette, entry);
                }
            }
            (
                Some(
                    Overlay::Palette(_)
                    | Overlay::Dialog(_)
                    | Overlay::Settings(_)
                    | Overlay::Engines(_),
                ),
                MouseEventKind::ScrollUp | MouseEventKind::ScrollDown,
            ) => {
                let code = match kind {
                    MouseEventKind::ScrollUp => KeyCode::Up,
                    _ => KeyCode::Down,
                };
                return self.key(KeyEvent::new(code, KeyModifiers::NONE));
            }
            (Some(Overlay::Form(form)), kind) => {
                if let Some(place) = screens::form::place_at(form, self.size, at) {
                    let form = form.clone();
                    return self.form_mouse(form, kind, place);
                }
            }
            (Some(Overlay::Settings(form)), MouseEventKind::Down(MouseButton::Left)) => {
                if let Some(row) = screens::settings::setting_at(form, self.size, at) {
                    let form = form.clone();
                    return self.settings_click(form, row);
                }
            }
            (Some(Overlay::Engines(form)), MouseEventKind::Down(MouseButton::Left)) => {
                let form = form.clone();
                if let Some(row) = screens::engine_options::entry_at(&form, self, at) {
                    return self.engines_click(form, row);
                }
            }
            (Some(Overlay::Saves(_)), kind) => {
                let line = screens::saves::line_at(self.size, at);
                return self.saves_mouse(kind, line);
            }
            _ => {}
        }
        Vec::new()
    }

    fn mouse_on_game(&mut self, kind: MouseEventKind, at: Cell) -> Vec<Effect> {
        let Some(layout) = self.layout() else {
            return Vec::new();
        };
        let square = layout.board.square_at(at);
        match (kind, square) {
            (MouseEventKind::ScrollUp, _) => self.walk(-1),
            (MouseEventKind::ScrollDown, _) => self.walk(1),
            (MouseEventKind::Down(MouseButton::Left), Some(square)) => self.press_square(square),
            (MouseEventKind::Drag(MouseButton::Left), Some(square))
                if self.table.dragged.is_some() =>
            {
                self.table.cursor = square;
                self.table.cursor_shown = true;
            }
            (MouseEventKind::Up(MouseButton::Left), square) => self.release(square),
            (MouseEventKind::Down(MouseButton::Right), square) => self.table.marking = square,
            (MouseEventKind::Up(MouseButton::Right), square) => self.mark(square),
            (MouseEventKind::Down(MouseButton::Left), None) => {
                let list = moves::areas(&self.table, layout.moves).list;
                if let Some(node) = moves::move_at(&self.table, list, at) {
                    self.view(node);
                } else if let Some(pressed) = screens::hints::hint_at(self, layout.hints, at) {
                    return self.press_hint(pressed);
                } else if screens::game::way_back_at(self, &layout, at) {
                    self.table.viewed = None;
                    self.table.held = None;
                } else if let Some(candidate) = screens::input::candidate_at(self, layout.input, at)
                {
                    self.table.typing.line.set(&candidate);
                    self.table.typing.edited();
                    self.submit();
                }
            }
            _ => {}
        }
        Vec::new()
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
            Mark::Square(from)
        } else {
            Mark::Arrow(from, to)
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
