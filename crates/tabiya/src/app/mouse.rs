//! The mouse. What is under it comes with the message, from the same geometry that drawing uses.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui_core::layout::Position as Cell;
use tabiya_rules::Square;

use super::{App, CLICK, Overlay, overlay};
use crate::message::Hit;

impl App {
    pub(super) fn mouse(&mut self, event: MouseEvent, hit: Option<Hit>) {
        if !self.settings.mouse {
            return;
        }
        let kind = event.kind;
        match hit {
            Some(Hit::Key(key)) if kind == CLICK => self.key(key),
            Some(Hit::Shortcut(shortcut)) if kind == CLICK => self.press(shortcut.action),
            Some(Hit::Explorer(hit)) if kind == CLICK => {
                self.with_explorer(|explorer, app| explorer.click(hit, app));
            }
            hit => self.mouse_inside(event, hit.as_ref()),
        }
    }

    fn mouse_inside(&mut self, event: MouseEvent, hit: Option<&Hit>) {
        let kind = event.kind;
        // Any button closes a sheet.
        if matches!(self.overlay, Some(Overlay::Text(_))) && matches!(kind, MouseEventKind::Down(_))
        {
            self.overlay = None;
            return;
        }
        if self.with_overlay(|overlay, app| overlay::mouse(overlay, kind, hit, app)) {
            return;
        }
        if !self.with_screen(|screen, app| overlay::mouse(screen, kind, hit, app)) {
            self.mouse_on_game(kind, Cell::new(event.column, event.row), hit);
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
                if self.board().dragged.is_some() =>
            {
                self.board_mut().cursor = square;
                self.board_mut().cursor_shown = true;
            }
            (MouseEventKind::Up(MouseButton::Left), square) => self.release(square),
            (MouseEventKind::Down(MouseButton::Right), square) => self.board_mut().marking = square,
            (MouseEventKind::Up(MouseButton::Right), square) => {
                if let Some(request) = self.board_mut().end_mark(square) {
                    self.request(request);
                }
            }
            (CLICK, None) => self.click_beside_the_board(hit),
            _ => {}
        }
    }

    fn click_beside_the_board(&mut self, hit: Option<&Hit>) {
        match hit {
            Some(&Hit::Move(node)) => self.look_at(node),
            Some(Hit::WayBack) => {
                self.look_back();
                self.board_mut().held = None;
            }
            Some(Hit::Candidate(candidate)) => {
                self.board_mut().typing.set(candidate);
                self.submit();
            }
            Some(
                Hit::Nothing
                | Hit::Key(_)
                | Hit::Shortcut(_)
                | Hit::Row(_)
                | Hit::Field(..)
                | Hit::Game(_)
                | Hit::Explorer(_),
            )
            | None => {}
        }
    }

    fn press_square(&mut self, square: Square) {
        let board = self.board_mut();
        board.cursor = square;
        board.cursor_shown = false;
        board.typing.clear();
        let held = board.held;
        self.touch(square);
        let board = self.board_mut();
        if held.is_some() && board.held == held {
            // It cannot go there. A click elsewhere drops the piece; the keyboard cursor keeps it.
            board.held = None;
        }
        // A piece that was just picked up may be dragged. One that was already held is put back by the click.
        let is_new = |now: &Square| *now == square && held != Some(square);
        board.dragged = board.held.filter(is_new);
        if board.held.is_none() && held.is_none() {
            board.clear_own_marks();
        }
    }

    fn release(&mut self, square: Option<Square>) {
        let Some(from) = self.board_mut().dragged.take() else {
            return;
        };
        self.board_mut().cursor_shown = false;
        match square {
            // A click: the piece stays held. Only now it is certain that it is not being dragged.
            Some(square) if square == from => self.board_mut().explain_held(),
            Some(square) => {
                self.drop_piece(from, square);
                self.board_mut().held = None;
            }
            None => self.board_mut().held = None,
        }
    }
}
