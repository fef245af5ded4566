//! The mouse: what lies under it comes with the message, from the same geometry that the drawing uses.

use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Position as Cell;
use tabiya_game::MarkColor;
use tabiya_rules::Square;

use super::{App, CLICK, Overlay, Screen, overlay};
use crate::message::{Hit, Pressed};
use crate::tui::board::Mark;

impl App {
    pub(super) fn mouse(&mut self, event: MouseEvent, hit: Option<Hit>) {
        if !self.look.mouse {
            return;
        }
        let kind = event.kind;
        match hit {
            Some(Hit::Key(key) | Hit::Hint(Pressed::Key(key))) if kind == CLICK => self.key(key),
            Some(Hit::Hint(Pressed::Shortcut(shortcut))) if kind == CLICK => self.press(shortcut),
            // Beside what lies over the screen a click is as good as Esc.
            Some(Hit::Beside) if kind == CLICK => {
                self.key(KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE));
            }
            hit => self.mouse_inside(event, hit.as_ref()),
        }
    }

    fn mouse_inside(&mut self, event: MouseEvent, hit: Option<&Hit>) {
        let kind = event.kind;
        // Any button closes a text.
        if matches!(self.overlay, Some(Overlay::Text(_))) && matches!(kind, MouseEventKind::Down(_))
        {
            self.overlay = None;
            return;
        }
        if self.with_overlay(|overlay, app| overlay::mouse(overlay, kind, hit, app)) {
            return;
        }
        match self.screen {
            Screen::Game => self.mouse_on_game(kind, Cell::new(event.column, event.row), hit),
            Screen::Home | Screen::Picker | Screen::Match => {
                self.with_screen(|screen, app| overlay::mouse(screen, kind, hit, app));
            }
        }
    }

    fn mouse_on_game(&mut self, kind: MouseEventKind, at: Cell, hit: Option<&Hit>) {
        let Some(layout) = self.layout() else { return };
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
            (CLICK, None) => self.click_beside_the_board(hit),
            _ => {}
        }
    }

    fn click_beside_the_board(&mut self, hit: Option<&Hit>) {
        match hit {
            Some(&Hit::Move(node)) => self.view(node),
            Some(Hit::WayBack) => {
                self.table.viewed = None;
                self.table.held = None;
            }
            Some(Hit::Candidate(candidate)) => {
                self.table.typing.set(candidate);
                self.submit();
            }
            Some(
                Hit::Nothing
                | Hit::Key(_)
                | Hit::Hint(_)
                | Hit::Beside
                | Hit::Row(_)
                | Hit::Field(..)
                | Hit::Game(_),
            )
            | None => {}
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
            Some(square) if square == from => self.table.explain_held(),
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
