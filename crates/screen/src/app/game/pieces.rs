//! Pieces picked up and put down, with the mouse or with the cursor, as moves or as premoves.

use tabiya_game::MoveInput;
use tabiya_rules::{IllegalMove, Rank, Role, Square};

use crate::app::App;
use crate::app::overlay::dialog::Dialog;

impl App {
    /// Picks up the piece at the cursor, or drops the held one.
    pub(super) fn pick_or_drop(&mut self) {
        if self.board().view.cursor_shown {
            self.touch(self.board().view.cursor);
            if self.board().view.held == Some(self.board().view.cursor) {
                self.board_mut().explain_held();
            }
        }
        self.view_mut().cursor_shown = true;
    }

    /// Presses the left mouse button on a square.
    pub(super) fn press_square(&mut self, square: Square) {
        let board = self.board_mut();
        board.view.cursor = square;
        board.view.cursor_shown = false;
        board.view.typing.clear();
        let held = board.view.held;
        self.touch(square);
        let board = self.board_mut();
        if held.is_some() && board.view.held == held {
            // It cannot go there. A click elsewhere drops the piece; the keyboard cursor keeps it.
            board.view.held = None;
        }
        // A piece that was just picked up may be dragged. One that was already held is put back by the click.
        let is_new = |now: &Square| *now == square && held != Some(square);
        board.view.dragged = board.view.held.filter(is_new);
        if board.view.held.is_none() && held.is_none() {
            board.view.clear_own_marks();
        }
    }

    /// Releases the left mouse button, on a square or elsewhere.
    pub(super) fn release(&mut self, square: Option<Square>) {
        let Some(from) = self.view_mut().dragged.take() else {
            return;
        };
        self.view_mut().cursor_shown = false;
        match square {
            // A click: the piece stays held. Only now it is certain that it is not being dragged.
            Some(square) if square == from => self.board_mut().explain_held(),
            Some(square) => {
                self.drop_piece(from, square);
                self.view_mut().held = None;
            }
            None => self.view_mut().held = None,
        }
    }

    /// Handles a click on a square, or Enter at the cursor. A king dropped on its rook castles.
    fn touch(&mut self, square: Square) {
        let board = self.board();
        let is_own = board.is_own(square);
        let reaches = |held| {
            board.targets(held).contains(square)
                || board.position().find_move(held, square, None).is_ok()
        };
        match board.view.held {
            Some(held) if held == square => self.view_mut().held = None,
            Some(held) if is_own && !reaches(held) => self.view_mut().held = Some(square),
            Some(held) => {
                // A piece that cannot go there stays held.
                let accepted = self.drop_piece(held, square);
                self.view_mut().held = Some(held).filter(|_| !accepted);
            }
            None if is_own => {
                let id = self.desk.front_id();
                let mut board = self.views.board(&self.desk, id);
                board.pick_up(square, &self.keys);
            }
            None => {
                if board.position().board().piece_at(square).is_some() {
                    self.board_mut().refuse_other_side();
                }
            }
        }
    }

    /// Drops the held piece on another square, as a move or as a premove. Returns whether it can go there. A promotion
    /// asks for the piece; that of a premove is to a queen, because there is no time to ask.
    fn drop_piece(&mut self, from: Square, to: Square) -> bool {
        let squares = |promotion| MoveInput::Squares {
            from,
            to,
            promotion,
        };
        let board = self.board_mut();
        if board.premover().is_none() {
            let legal = board.position().find_move(from, to, None);
            if legal == Err(IllegalMove::PromotionRequired) {
                board.view.held = None;
                self.open(Dialog::promotion(from, to));
                return true;
            }
            return self.request_move(squares(None));
        }
        let reaches = board.targets(from).contains(to);
        if reaches {
            let piece = board.position().board().piece_at(from);
            let is_pawn = piece.is_some_and(|piece| piece.role == Role::Pawn);
            let promotes = is_pawn && matches!(to.rank(), Rank::First | Rank::Eighth);
            board.view.held = None;
            self.request_move(squares(promotes.then_some(Role::Queen)));
        }
        reaches
    }
}
