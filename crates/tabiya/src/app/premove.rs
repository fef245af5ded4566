//! Premoves: moves set with the mouse or the cursor while an engine thinks, to be played on the player's turn.

use tabiya_game::MoveInput;
use tabiya_play::request::GameRequest;
use tabiya_play::typed_move;
use tabiya_rules::{Bitboard, Color, File, Rank, Role, Square, attacks};

use super::App;
use super::board::Board;

impl Board {
    /// The side that can set a premove now: the only person's, while it is an engine's turn.
    pub(super) fn premover(&self) -> Option<Color> {
        let person = self.opponents().person()?;
        let waits = self.has_begun()
            && !self.is_review()
            && !self.is_elsewhere()
            && !self.is_at_earlier_position()
            && self.session().outcome().is_none()
            && self.position().turn() != person;
        waits.then_some(person)
    }

    /// The squares a piece could reach whatever the opponent does: as on an empty board, with captures.
    pub(super) fn premove_targets(&self, from: Square) -> Bitboard {
        let Some(piece) = self.position().board().piece_at(from) else {
            return Bitboard::EMPTY;
        };
        let mut targets = attacks::of(piece.role, piece.color, from, Bitboard::EMPTY);
        let (forward, home) = match piece.color {
            Color::White => (1, Rank::First),
            Color::Black => (-1, Rank::Eighth),
        };
        let mut add = |files: i8, ranks: i8| {
            if let Some(square) = from.offset(files, ranks) {
                targets |= square;
            }
        };
        match piece.role {
            Role::Pawn => {
                add(0, forward);
                if from
                    .offset(0, -forward)
                    .is_some_and(|behind| behind.rank() == home)
                {
                    add(0, 2 * forward);
                }
            }
            // It may castle.
            Role::King if from == Square::new(File::E, home) => {
                add(2, 0);
                add(-2, 0);
            }
            Role::Knight | Role::Bishop | Role::Rook | Role::Queen | Role::King => {}
        }
        targets
    }

    /// Drops the held piece as a premove. A pawn promotes to a queen, because there is no time to ask.
    pub(super) fn drop_as_premove(&mut self, from: Square, to: Square) -> GameRequest {
        let piece = self.position().board().piece_at(from);
        let is_pawn = piece.is_some_and(|piece| piece.role == Role::Pawn);
        let promotes = is_pawn && matches!(to.rank(), Rank::First | Rank::Eighth);
        self.held = None;
        GameRequest::Premove(Some(MoveInput::Squares {
            from,
            to,
            promotion: promotes.then_some(Role::Queen),
        }))
    }

    /// The squares of the premove, if they are known.
    pub(super) fn premove_squares(&self) -> Option<(Square, Square)> {
        match self.premove()? {
            &MoveInput::Squares { from, to, .. } => Some((from, to)),
            MoveInput::Move(played) => Some((played.from(), played.destination())),
            MoveInput::Text(text) => {
                // What the text means if the opponent passes. A capture may have no meaning yet.
                let passed = self.position().pass()?;
                let played = typed_move::parse(text, &passed).ok()?.played;
                Some((played.from(), played.destination()))
            }
        }
    }
}

impl App {
    /// Handles a click on a square while it is an engine's turn, or Enter at the cursor.
    pub(super) fn touch_premove(&mut self, person: Color, square: Square) {
        let board = self.board();
        let is_own = board.position().board().color_at(square) == Some(person);
        match board.held {
            Some(held) if held == square => self.board_mut().held = None,
            Some(held) if board.premove_targets(held).contains(square) => {
                let request = self.board_mut().drop_as_premove(held, square);
                self.request(request);
            }
            _ if is_own => self.board_mut().pick_up(square),
            Some(_) => {}
            None => {
                if board.position().board().piece_at(square).is_some() {
                    self.board_mut().refuse_other_side();
                }
            }
        }
    }
}
