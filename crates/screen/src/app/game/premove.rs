//! The squares of premoves. Who may set one is decided by [`Table::premover`](tabiya_play::table::Table::premover).

use tabiya_game::MoveInput;
use tabiya_play::typed_move;
use tabiya_rules::{Bitboard, Color, File, Rank, Role, Square, attacks};

use std::ops::Deref;

use crate::app::board::{Board, View};

impl<V: Deref<Target = View>> Board<'_, V> {
    /// The squares a piece could reach whatever the opponent does: as on an empty board, with captures.
    pub(in crate::app) fn premove_targets(&self, from: Square) -> Bitboard {
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
    pub(in crate::app) fn premove_squares(&self) -> Option<(Square, Square)> {
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
