//! The mouse on the game screen.

use crossterm::event::{MouseButton, MouseEventKind};
use ratatui_core::layout::Position as Cell;
use tabiya_game::MoveInput;

use crate::app::{App, CLICK};
use crate::message::Hit;

impl App {
    pub(in crate::app) fn mouse_on_game(
        &mut self,
        kind: MouseEventKind,
        at: Cell,
        hit: Option<&Hit>,
    ) {
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
            Some(&Hit::Candidate(candidate)) => {
                self.play(MoveInput::Move(candidate));
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
}
