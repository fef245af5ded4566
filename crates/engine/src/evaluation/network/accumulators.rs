//! The sums of the neurons along the line that is being searched.
//!
//! Making a move only notes what it changes. An evaluation looks for the nearest ply before whose sums are up to date,
//! brings all from there on up to date, and keeps them: what is never evaluated costs nothing. A side whose king has
//! crossed the middle sees every piece elsewhere; its sums are made anew from the board.

use tabiya_rules::{Board, ByColor, Color, File, MoveDelta, Piece, Role, Square};

use super::Network;
use super::kernels::Row;

/// What is known about one ply of the line.
#[derive(Clone, Copy, Debug)]
struct Note {
    /// What the move that led here changed; `None` for a null move.
    change: Option<MoveDelta>,
    /// Whether each side's sums are up to date.
    current: ByColor<bool>,
}

impl Note {
    const STALE: Note = Note {
        change: None,
        current: ByColor::new(false, false),
    };
}

/// The sums of both sides for each ply.
#[derive(Clone, Debug)]
pub(super) struct Accumulators {
    notes: Vec<Note>,
    rows: Vec<ByColor<Row>>,
}

impl Accumulators {
    /// For lines of up to `max_ply` plies.
    pub(super) fn new(max_ply: usize) -> Accumulators {
        Accumulators {
            notes: vec![Note::STALE; max_ply + 1],
            rows: vec![ByColor::new(Row::ZERO, Row::ZERO); max_ply + 1],
        }
    }

    /// One ply, with sums that follow from no board.
    #[cfg(test)]
    pub(super) fn with_root(rows: ByColor<Row>) -> Accumulators {
        let current = Note {
            change: None,
            current: ByColor::new(true, true),
        };
        Accumulators {
            notes: vec![current],
            rows: vec![rows],
        }
    }

    /// Begins with a new root.
    pub(super) fn set_root(&mut self) {
        self.note(0, None);
    }

    /// Notes what the move changed that led to a ply, or that it was a null move.
    #[inline]
    pub(super) fn note(&mut self, ply: usize, change: Option<MoveDelta>) {
        self.notes[ply] = Note {
            change,
            ..Note::STALE
        };
    }

    /// The sums of a ply, which must be up to date.
    #[inline(always)]
    pub(super) fn rows(&self, ply: usize) -> &ByColor<Row> {
        debug_assert!(Color::ALL.iter().all(|&side| self.notes[ply].current[side]));
        &self.rows[ply]
    }

    /// Brings the sums that one side has at a ply, where the board is this one, up to date.
    #[inline(always)]
    pub(super) fn update(&mut self, network: &Network, board: &Board, side: Color, ply: usize) {
        if self.notes[ply].current[side] {
            return;
        }
        let view = View::new(board, side);
        match self.nearest_current(side, ply) {
            Some(from) => {
                for next in from + 1..=ply {
                    self.advance(network, view, next);
                }
            }
            None => {
                self.rows[ply][side] = fresh(network, board, view);
                self.notes[ply].current[side] = true;
            }
        }
    }

    /// The last ply whose sums can be brought forward; `None` if they have to be made anew.
    #[inline(always)]
    fn nearest_current(&self, side: Color, ply: usize) -> Option<usize> {
        for at in (0..=ply).rev() {
            let note = &self.notes[at];
            if note.current[side] {
                return Some(at);
            }
            if note.change.is_some_and(|change| turns_view(&change, side)) {
                return None;
            }
        }
        None
    }

    /// Brings the sums of a ply up to date by those of the ply before.
    #[inline(always)]
    fn advance(&mut self, network: &Network, view: View, ply: usize) {
        let side = view.side;
        self.notes[ply].current[side] = true;
        let (before, after) = self.rows.split_at_mut(ply);
        let (Some(before), Some(after)) = (before.last(), after.first_mut()) else {
            return;
        };
        let (from, to) = (&before[side], &mut after[side]);
        let row =
            |&(square, piece): &(Square, Piece)| &network.features[view.feature(square, piece)];
        let Some(change) = &self.notes[ply].change else {
            *to = *from;
            return;
        };
        match (change.removed(), change.added()) {
            ([left], [reached]) => to.set_moved(from, row(reached), row(left)),
            ([left, captured], [reached]) => {
                to.set_captured(from, row(reached), [row(left), row(captured)]);
            }
            (emptied, filled) => {
                // A castle: the king's part, then the rook's.
                let mut sums = *from;
                for (left, reached) in emptied.iter().zip(filled) {
                    let before = sums;
                    sums.set_moved(&before, row(reached), row(left));
                }
                *to = sums;
            }
        }
    }
}

/// How a side sees the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    side: Color,
    /// Turns the number of a square into the number by which this side sees it.
    turned: usize,
}

impl View {
    #[inline(always)]
    pub(super) fn new(board: &Board, side: Color) -> View {
        let end = match side {
            Color::White => 0,
            Color::Black => 56,
        };
        let exchanged = board.king(side).is_some_and(is_right);
        View {
            side,
            turned: end ^ if exchanged { 7 } else { 0 },
        }
    }

    /// The input that a piece on a square is.
    #[inline(always)]
    pub(super) fn feature(self, square: Square, piece: Piece) -> usize {
        let owner = if piece.color == self.side { 0 } else { 384 };
        owner + piece.role as usize * 64 + (square.index() ^ self.turned)
    }
}

/// The sums of a side, from the board.
#[inline(always)]
fn fresh(network: &Network, board: &Board, view: View) -> Row {
    let mut row = network.biases;
    for color in Color::ALL {
        for role in Role::ALL {
            for square in board.pieces(color, role) {
                row.add(&network.features[view.feature(square, role.of(color))]);
            }
        }
    }
    row
}

/// Does a change move a side's king across the middle?
#[inline(always)]
fn turns_view(change: &MoveDelta, side: Color) -> bool {
    match (change.removed(), change.added()) {
        ([(from, king), ..], [(to, _), ..]) => {
            *king == Role::King.of(side) && is_right(*from) != is_right(*to)
        }
        _ => false,
    }
}

/// Is a square on the files e to h?
#[inline(always)]
fn is_right(square: Square) -> bool {
    square.file() >= File::E
}
