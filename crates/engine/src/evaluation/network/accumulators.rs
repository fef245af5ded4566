//! The sums of the neurons along the line that is being searched.
//!
//! Making a move only notes what it changes. An evaluation looks for the nearest ply before whose sums are up to date,
//! brings all from there on up to date, and keeps them: what is never evaluated costs next to nothing. A side whose king
//! has crossed the middle sees every piece elsewhere; its sums are made anew from the board.

use tabiya_rules::{Board, ByColor, Color, File, MoveDelta, Piece, Role, Square};

use super::Network;
use super::kernels::Row;

/// What is known about one ply of the line.
#[derive(Clone, Copy, Debug)]
struct Note {
    /// What the move that led here changed; `None` for a null move.
    change: Option<MoveDelta>,
    /// Whether the sums are up to date.
    current: bool,
}

impl Note {
    const STALE: Note = Note {
        change: None,
        current: false,
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

    /// Begins with a new root.
    pub(super) fn set_root(&mut self, network: &Network, board: &Board) {
        for side in Color::ALL {
            self.rows[0][side] = fresh(network, board, View::new(board, side));
        }
        self.notes[0].current = true;
    }

    /// Notes what the move changed that led to a ply.
    #[inline]
    pub(super) fn make_move(&mut self, ply: usize, change: &MoveDelta) {
        self.notes[ply] = Note {
            change: Some(*change),
            current: false,
        };
    }

    /// Notes that a null move led to a ply.
    #[inline]
    pub(super) fn make_null_move(&mut self, ply: usize) {
        self.notes[ply] = Note::STALE;
    }

    /// The sums of a ply, which must be up to date.
    #[inline(always)]
    pub(super) fn rows(&self, ply: usize) -> &ByColor<Row> {
        debug_assert!(self.notes[ply].current);
        &self.rows[ply]
    }

    /// Brings the sums of a ply, where the board is this one, up to date.
    #[inline(always)]
    pub(super) fn update(&mut self, network: &Network, board: &Board, ply: usize) {
        let mut turned = ByColor::new(false, false);
        let mut from = ply;
        // The root is always up to date.
        while from > 0 && !self.notes[from].current {
            if let Some(side) = self.notes[from].change.and_then(|change| turns(&change)) {
                turned[side] = true;
            }
            from -= 1;
        }
        let views = ByColor::new(
            View::new(board, Color::White),
            View::new(board, Color::Black),
        );
        if turned.white | turned.black {
            self.update_turned(network, board, &views, turned, from, ply);
        } else {
            for next in from + 1..=ply {
                self.advance(network, next, &[views.white, views.black]);
                self.notes[next].current = true;
            }
        }
    }

    /// The same where a king has crossed the middle on the way: that side's sums are made anew, and the plies between are
    /// not brought up to date.
    #[inline(always)]
    fn update_turned(
        &mut self,
        network: &Network,
        board: &Board,
        views: &ByColor<View>,
        turned: ByColor<bool>,
        from: usize,
        ply: usize,
    ) {
        for side in Color::ALL {
            if turned[side] {
                self.rows[ply][side] = fresh(network, board, views[side]);
            } else {
                for next in from + 1..=ply {
                    self.advance(network, next, &[views[side]]);
                }
            }
        }
        self.notes[ply].current = true;
    }

    /// Computes the sums of a ply, in some views, by those of the ply before.
    #[inline(always)]
    fn advance(&mut self, network: &Network, ply: usize, views: &[View]) {
        let (before, after) = self.rows.split_at_mut(ply);
        let (Some(before), Some(after)) = (before.last(), after.first_mut()) else {
            return;
        };
        let feature = |&(square, piece): &(Square, Piece)| Feature::new(square, piece);
        let change = self.notes[ply].change.as_ref();
        let changed = change.map(|change| (change.removed(), change.added()));
        match changed {
            Some(([left], [reached])) => {
                let (left, reached) = (feature(left), feature(reached));
                for view in views {
                    let (from, to) = (&before[view.side], &mut after[view.side]);
                    to.set_moved(from, view.row(network, reached), view.row(network, left));
                }
            }
            Some(([left, captured], [reached])) => {
                let (left, captured, reached) =
                    (feature(left), feature(captured), feature(reached));
                for view in views {
                    let (from, to) = (&before[view.side], &mut after[view.side]);
                    let removed = [view.row(network, left), view.row(network, captured)];
                    to.set_captured(from, view.row(network, reached), removed);
                }
            }
            // A castle, or a null move.
            _ => {
                for view in views {
                    let mut sums = before[view.side];
                    let (removed, added) = changed.unwrap_or_default();
                    for (left, reached) in removed.iter().zip(added) {
                        let from = sums;
                        let (left, reached) = (feature(left), feature(reached));
                        sums.set_moved(&from, view.row(network, reached), view.row(network, left));
                    }
                    after[view.side] = sums;
                }
            }
        }
    }
}

/// A piece on a square, as White sees it from the left: 512 for a piece of Black's, 64 for each role, and the square.
#[derive(Clone, Copy, Debug)]
struct Feature(u16);

impl Feature {
    #[inline(always)]
    fn new(square: Square, piece: Piece) -> Feature {
        Feature((piece.color as u16) << 9 | (piece.role as u16) << 6 | square as u16)
    }
}

/// How a side sees the board.
#[derive(Clone, Copy, Debug)]
struct View {
    side: Color,
    /// The bits of a feature in which this side's view differs from White's from the left: whose piece it is, the rank
    /// and the file.
    difference: u16,
}

impl View {
    #[inline(always)]
    fn new(board: &Board, side: Color) -> View {
        let end = match side {
            Color::White => 0,
            Color::Black => 512 | 56,
        };
        let mirrored = board.king(side).is_some_and(is_right);
        View {
            side,
            difference: end | if mirrored { 7 } else { 0 },
        }
    }

    /// The weights of a feature.
    #[inline(always)]
    fn row(self, network: &Network, feature: Feature) -> &Row {
        &network.features[usize::from(feature.0 ^ self.difference)]
    }
}

/// The sums of a side, from the board.
#[inline(always)]
fn fresh(network: &Network, board: &Board, view: View) -> Row {
    let mut row = network.biases;
    for color in Color::ALL {
        for role in Role::ALL {
            for square in board.pieces(color, role) {
                row.add(view.row(network, Feature::new(square, role.of(color))));
            }
        }
    }
    row
}

/// The side whose king a change takes across the middle.
#[inline(always)]
fn turns(change: &MoveDelta) -> Option<Color> {
    let (&(from, piece), &(to, _)) = (change.removed().first()?, change.added().first()?);
    let turns = piece.role == Role::King && is_right(from) != is_right(to);
    turns.then_some(piece.color)
}

/// Is a square on the files e to h?
#[inline(always)]
fn is_right(square: Square) -> bool {
    square.file() >= File::E
}
