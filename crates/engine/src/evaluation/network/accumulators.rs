//! The accumulators along the line being searched, updated lazily.
//!
//! Making a move only records its delta. An evaluation goes back to the nearest computed ply and applies the deltas from
//! there. A perspective whose king crossed between the d- and e-files is refreshed from the board.

use tabiya_rules::{Board, ByColor, Color, File, MoveDelta, Piece, Role, Square};

use super::Network;
use super::kernels::Row;

/// The state of one ply of the line.
#[derive(Clone, Copy, Debug)]
struct PlyState {
    /// The delta of the move that led here; `None` for a null move.
    delta: Option<MoveDelta>,
    /// Whether the accumulators of the ply are computed.
    computed: bool,
}

impl PlyState {
    const NULL_MOVE: PlyState = PlyState {
        delta: None,
        computed: false,
    };
}

/// The accumulators of both perspectives for each ply.
#[derive(Clone, Debug)]
pub(super) struct Accumulators {
    plies: Vec<PlyState>,
    rows: Vec<ByColor<Row>>,
}

impl Accumulators {
    /// For lines of up to `max_ply` plies.
    pub(super) fn new(max_ply: usize) -> Accumulators {
        Accumulators {
            plies: vec![PlyState::NULL_MOVE; max_ply + 1],
            rows: vec![ByColor::new(Row::ZERO, Row::ZERO); max_ply + 1],
        }
    }

    /// Begins with a new root.
    pub(super) fn set_root(&mut self, network: &Network, board: &Board) {
        for side in Color::ALL {
            self.rows[0][side] = refresh(network, board, Perspective::new(board, side));
        }
        self.plies[0].computed = true;
    }

    /// Records the delta of the move that led to a ply.
    #[inline]
    pub(super) fn make_move(&mut self, ply: usize, delta: &MoveDelta) {
        self.plies[ply] = PlyState {
            delta: Some(*delta),
            computed: false,
        };
    }

    /// Records that a null move led to a ply.
    #[inline]
    pub(super) fn make_null_move(&mut self, ply: usize) {
        self.plies[ply] = PlyState::NULL_MOVE;
    }

    /// The accumulators of a ply, which must be computed.
    #[inline(always)]
    pub(super) fn rows(&self, ply: usize) -> &ByColor<Row> {
        debug_assert!(self.plies[ply].computed);
        &self.rows[ply]
    }

    /// Computes the accumulators of a ply, where the board is this one.
    #[inline(always)]
    pub(super) fn update(&mut self, network: &Network, board: &Board, ply: usize) {
        let mut needs_refresh = ByColor::new(false, false);
        let mut from = ply;
        // The root is always computed.
        while from > 0 && !self.plies[from].computed {
            if let Some(side) = self.plies[from]
                .delta
                .and_then(|delta| crossing_king(&delta))
            {
                needs_refresh[side] = true;
            }
            from -= 1;
        }
        let perspectives = ByColor::new(
            Perspective::new(board, Color::White),
            Perspective::new(board, Color::Black),
        );
        if needs_refresh.white | needs_refresh.black {
            self.update_with_refresh(network, board, &perspectives, needs_refresh, from, ply);
        } else {
            for next in from + 1..=ply {
                self.apply_delta(network, next, &[perspectives.white, perspectives.black]);
                self.plies[next].computed = true;
            }
        }
    }

    /// The same where a king crossed between the d- and e-files on the way: that perspective is refreshed, and the plies
    /// between are not computed.
    #[inline(always)]
    fn update_with_refresh(
        &mut self,
        network: &Network,
        board: &Board,
        perspectives: &ByColor<Perspective>,
        needs_refresh: ByColor<bool>,
        from: usize,
        ply: usize,
    ) {
        for side in Color::ALL {
            if needs_refresh[side] {
                self.rows[ply][side] = refresh(network, board, perspectives[side]);
            } else {
                for next in from + 1..=ply {
                    self.apply_delta(network, next, &[perspectives[side]]);
                }
            }
        }
        self.plies[ply].computed = true;
    }

    /// Computes the accumulators of a ply, of some perspectives, from those of the ply before.
    #[inline(always)]
    fn apply_delta(&mut self, network: &Network, ply: usize, perspectives: &[Perspective]) {
        let (before, after) = self.rows.split_at_mut(ply);
        let (Some(before), Some(after)) = (before.last(), after.first_mut()) else {
            return;
        };
        let feature = |&(square, piece): &(Square, Piece)| Feature::new(square, piece);
        let delta = self.plies[ply].delta.as_ref();
        let changed = delta.map(|delta| (delta.removed(), delta.added()));
        match changed {
            Some(([left], [reached])) => {
                let (left, reached) = (feature(left), feature(reached));
                for perspective in perspectives {
                    let (from, to) = (&before[perspective.side], &mut after[perspective.side]);
                    to.set_add_sub(
                        from,
                        perspective.row(network, reached),
                        perspective.row(network, left),
                    );
                }
            }
            Some(([left, captured], [reached])) => {
                let (left, captured, reached) =
                    (feature(left), feature(captured), feature(reached));
                for perspective in perspectives {
                    let (from, to) = (&before[perspective.side], &mut after[perspective.side]);
                    let removed = [
                        perspective.row(network, left),
                        perspective.row(network, captured),
                    ];
                    to.set_add_sub_sub(from, perspective.row(network, reached), removed);
                }
            }
            // A castle, or a null move.
            _ => {
                for perspective in perspectives {
                    let mut sums = before[perspective.side];
                    let (removed, added) = changed.unwrap_or_default();
                    for (left, reached) in removed.iter().zip(added) {
                        let from = sums;
                        let (left, reached) = (feature(left), feature(reached));
                        sums.set_add_sub(
                            &from,
                            perspective.row(network, reached),
                            perspective.row(network, left),
                        );
                    }
                    after[perspective.side] = sums;
                }
            }
        }
    }
}

/// A feature in White's unmirrored perspective: 512 for a black piece, 64 for each role, and the square.
#[derive(Clone, Copy, Debug)]
struct Feature(u16);

impl Feature {
    #[inline(always)]
    fn new(square: Square, piece: Piece) -> Feature {
        Feature((piece.color as u16) << 9 | (piece.role as u16) << 6 | square as u16)
    }
}

/// The board as a side sees it.
#[derive(Clone, Copy, Debug)]
struct Perspective {
    side: Color,
    /// The bits of a feature that differ from White's unmirrored perspective: whose piece it is, the rank and the file.
    xor_mask: u16,
}

impl Perspective {
    /// How a side sees the board: from its end, and with its king on the files a to d.
    #[inline(always)]
    fn new(board: &Board, side: Color) -> Perspective {
        let flip = match side {
            Color::White => 0,
            Color::Black => 512 | 56,
        };
        let mirrored = board.king(side).is_some_and(is_mirrored);
        Perspective {
            side,
            xor_mask: flip | if mirrored { 7 } else { 0 },
        }
    }

    /// The weights of a feature.
    #[inline(always)]
    fn row(self, network: &Network, feature: Feature) -> &Row {
        &network.features[usize::from(feature.0 ^ self.xor_mask)]
    }
}

/// The accumulator of a perspective, from the board.
#[inline(always)]
fn refresh(network: &Network, board: &Board, perspective: Perspective) -> Row {
    let mut row = network.biases;
    for color in Color::ALL {
        for role in Role::ALL {
            for square in board.pieces(color, role) {
                row.add(perspective.row(network, Feature::new(square, role.of(color))));
            }
        }
    }
    row
}

/// The side whose king crosses between the d- and e-files, if one does.
#[inline(always)]
fn crossing_king(delta: &MoveDelta) -> Option<Color> {
    let (&(from, piece), &(to, _)) = (delta.removed().first()?, delta.added().first()?);
    let crosses = piece.role == Role::King && is_mirrored(from) != is_mirrored(to);
    crosses.then_some(piece.color)
}

/// Is the perspective of a king on this square mirrored, so that it is on the files a to d?
#[inline(always)]
fn is_mirrored(king: Square) -> bool {
    king.file() >= File::E
}
