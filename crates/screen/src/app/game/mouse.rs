//! The mouse on the game screen.

use ratatui_core::layout::Position as Cell;
use tabiya_game::MoveInput;

use crate::app::App;
use crate::app::press::MouseAct;
use crate::message::Hit;

impl App {
    /// Handles the mouse on the game screen.
    pub(in crate::app) fn mouse_on_game(&mut self, act: MouseAct, at: Cell, hit: Option<&Hit>) {
        let Some(layout) = self.layout() else { return };
        let square = layout.board.square_at(at);
        match act {
            MouseAct::WheelUp => self.walk(-1),
            MouseAct::WheelDown => self.walk(1),
            MouseAct::LeftDown => match square {
                Some(square) => self.press_square(square),
                None => self.click_beside_the_board(hit),
            },
            MouseAct::LeftDrag => {
                if let Some(square) = square.filter(|_| self.board().view.dragged.is_some()) {
                    self.view_mut().cursor = square;
                    self.view_mut().cursor_shown = true;
                }
            }
            MouseAct::LeftUp => self.release(square),
            MouseAct::RightDown => self.view_mut().marking = square,
            MouseAct::RightUp => {
                if let Some(request) = self.board_mut().end_mark(square) {
                    self.request(request);
                }
            }
            MouseAct::MiddleDown | MouseAct::Other => {}
        }
    }

    /// Handles a click on a move, a candidate or the way back to the game.
    fn click_beside_the_board(&mut self, hit: Option<&Hit>) {
        match hit {
            Some(&Hit::Move(node)) => self.look_at(node),
            Some(Hit::WayBack) => {
                self.look_back();
                self.view_mut().held = None;
            }
            Some(&Hit::Candidate(candidate)) => {
                self.request_move(MoveInput::Move(candidate));
            }
            Some(
                Hit::Frame
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
