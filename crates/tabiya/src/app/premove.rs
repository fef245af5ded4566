//! Premoves: moves set with the mouse or the cursor while an engine thinks, to be played on the player's turn.

use tabiya_game::MoveInput;
use tabiya_play::typed_move;
use tabiya_rules::{Bitboard, Color, File, IllegalMove, Rank, Role, Square, attacks};

use super::App;
use super::board::Board;
use super::overlay::dialog::Dialog;

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
    /// Drops the held piece on another square, as a move or as a premove. Returns whether it can go there. A promotion
    /// asks for the piece; that of a premove is to a queen, because there is no time to ask.
    pub(super) fn drop_piece(&mut self, from: Square, to: Square) -> bool {
        let squares = |promotion| MoveInput::Squares {
            from,
            to,
            promotion,
        };
        let board = self.board_mut();
        if board.premover().is_none() {
            let legal = board.position().find_move(from, to, None);
            if legal == Err(IllegalMove::PromotionRequired) {
                board.held = None;
                self.open(Dialog::promotion(from, to));
                return true;
            }
            return self.play(squares(None));
        }
        let reaches = board.targets(from).contains(to);
        if reaches {
            let piece = board.position().board().piece_at(from);
            let is_pawn = piece.is_some_and(|piece| piece.role == Role::Pawn);
            let promotes = is_pawn && matches!(to.rank(), Rank::First | Rank::Eighth);
            board.held = None;
            self.play(squares(promotes.then_some(Role::Queen)));
        }
        reaches
    }
}
