//! History heuristics: how well moves did elsewhere in the tree, for move ordering, and correction histories, which adjust
//! the static evaluation.

use tabiya_rules::{ByColor, Color, Move, Role};

use super::threats::Threats;
use crate::sub_keys::SubKeys;

/// The bound of every history value.
const MAX_HISTORY: i32 = 16_384;
/// From-to pairs of squares.
const FROM_TO: usize = 64 * 64;
/// Piece-to pairs: pieces of both colors by target square.
const PIECE_TO: usize = 12 * 64;
/// The piece-to index of a null move, or of no move before the root: these have a row of their own.
pub(super) const NO_MOVE: usize = PIECE_TO;
/// Rows of the pawn history.
const PAWN_ROWS: usize = 512;
/// Entries of a correction history, for each side to move.
const CORRECTION_ENTRIES: usize = 1 << 14;
/// The resolution of corrections, in parts of a centipawn.
const CORRECTION_SCALE: i32 = 256;
/// The bound of a correction, in centipawns.
const MAX_CORRECTION: i32 = 64;

/// The index of a move by piece and target square.
pub(super) fn piece_to(turn: Color, m: Move) -> usize {
    (turn as usize * 6 + m.role() as usize) * 64 + m.to().index()
}

/// The indices under which the quiet moves of a node are looked up.
#[derive(Clone, Copy, Debug)]
pub(super) struct HistoryContext {
    pub(super) turn: Color,
    /// The piece-to indices of the moves one, two and four plies ago.
    pub(super) previous: [usize; 3],
    pub(super) pawn_key: u64,
    pub(super) threats: Threats,
}

/// The moves that led to a node, by piece-to: the last one, and the one before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastMoves {
    pub(super) one: usize,
    pub(super) two: usize,
}

/// The histories of one thread.
#[derive(Clone, Debug)]
pub(super) struct Histories {
    /// Butterfly history: by color, by whether the squares left and entered are attacked, and by from-to.
    quiets: Box<ByColor<[i16; 4 * FROM_TO]>>,
    /// Capture history: by piece-to and captured role.
    captures: Box<[i16]>,
    /// Continuation history: by the piece-to of an earlier move, then that of the move.
    continuations: Box<[[i16; PIECE_TO]]>,
    /// Pawn history: by pawn structure, then piece-to.
    pawns: Box<[[i16; PIECE_TO]]>,
    /// Correction histories: by side to move and pawns, White's pieces, Black's pieces, minor pieces, major pieces.
    corrections: [Box<[i16]>; 5],
    /// Continuation correction history: by the piece-to of the last two moves.
    continuation_corrections: Box<[[i16; PIECE_TO + 1]]>,
}

impl Histories {
    pub(super) fn new() -> Histories {
        let zeros = |length: usize| vec![0; length].into();
        Histories {
            quiets: Box::new(ByColor::from_fn(|_| [0; 4 * FROM_TO])),
            captures: zeros(PIECE_TO * 6),
            continuations: vec![[0; PIECE_TO]; PIECE_TO + 1].into(),
            pawns: vec![[0; PIECE_TO]; PAWN_ROWS].into(),
            corrections: [(); 5].map(|()| zeros(2 * CORRECTION_ENTRIES)),
            continuation_corrections: vec![[0; PIECE_TO + 1]; PIECE_TO + 1].into(),
        }
    }

    pub(super) fn clear(&mut self) {
        for color in Color::ALL {
            self.quiets[color].fill(0);
        }
        self.captures.fill(0);
        self.continuations.as_flattened_mut().fill(0);
        self.pawns.as_flattened_mut().fill(0);
        for table in &mut self.corrections {
            table.fill(0);
        }
        self.continuation_corrections.as_flattened_mut().fill(0);
    }

    /// The rows for the quiet moves of one node.
    pub(super) fn rows<'a>(&'a self, context: &'a HistoryContext) -> HistoryRows<'a> {
        let [one, two, four] = context.previous.map(|index| &self.continuations[index]);
        HistoryRows {
            turn: context.turn,
            from_to: &self.quiets[context.turn],
            threats: &context.threats,
            piece_to: [&self.pawns[pawn_row(context.pawn_key)], one, two, four],
        }
    }

    /// The capture history of a move.
    pub(super) fn capture(&self, turn: Color, m: Move, captured: Option<Role>) -> i32 {
        i32::from(self.captures[capture_index(turn, m, captured)])
    }

    pub(super) fn update_quiet(&mut self, context: &HistoryContext, m: Move, bonus: i32) {
        let piece_to = piece_to(context.turn, m);
        let quiets = &mut self.quiets[context.turn];
        apply_bonus(&mut quiets[quiet_index(m, &context.threats)], bonus);
        apply_bonus(&mut self.pawns[pawn_row(context.pawn_key)][piece_to], bonus);
        self.update_continuations(context, m, bonus);
    }

    /// Updates the continuation histories of a quiet move alone.
    pub(super) fn update_continuations(&mut self, context: &HistoryContext, m: Move, bonus: i32) {
        let piece_to = piece_to(context.turn, m);
        for previous in context.previous {
            apply_bonus(&mut self.continuations[previous][piece_to], bonus);
        }
    }

    pub(super) fn update_capture(
        &mut self,
        turn: Color,
        m: Move,
        captured: Option<Role>,
        bonus: i32,
    ) {
        apply_bonus(&mut self.captures[capture_index(turn, m, captured)], bonus);
    }

    /// The correction of the static evaluation, in centipawns.
    pub(super) fn correction(&self, turn: Color, sub_keys: &SubKeys, last: LastMoves) -> i32 {
        let sum: i32 = self
            .corrections
            .iter()
            .zip(correction_keys(sub_keys))
            .map(|(table, key)| i32::from(table[correction_index(turn, key)]))
            .sum();
        let continuation = self.continuation_corrections[last.two][last.one];
        (sum + i32::from(continuation)) / (2 * CORRECTION_SCALE)
    }

    /// Moves the corrections towards `error`, the search score minus the static evaluation, by a weight that grows with
    /// the depth.
    pub(super) fn update_correction(
        &mut self,
        turn: Color,
        sub_keys: &SubKeys,
        last: LastMoves,
        error: i32,
        depth: i32,
    ) {
        let weight = (depth + 1).min(16);
        let limit = MAX_CORRECTION * CORRECTION_SCALE;
        let tables = self.corrections.iter_mut().zip(correction_keys(sub_keys));
        let slots = tables.map(|(table, key)| &mut table[correction_index(turn, key)]);
        let continuation = &mut self.continuation_corrections[last.two][last.one];
        for slot in slots.chain([continuation]) {
            let old = i32::from(*slot);
            let new = (old * (256 - weight) + error * CORRECTION_SCALE * weight) / 256;
            // The limit fits in 16 bits.
            *slot = new.clamp(-limit, limit) as i16;
        }
    }
}

/// The rows of the histories that belong to one node.
#[derive(Clone, Copy, Debug)]
pub(super) struct HistoryRows<'a> {
    turn: Color,
    from_to: &'a [i16; 4 * FROM_TO],
    threats: &'a Threats,
    piece_to: [&'a [i16; PIECE_TO]; 4],
}

impl HistoryRows<'_> {
    /// The sum of the histories of a quiet move.
    #[inline]
    pub(super) fn quiet(&self, m: Move) -> i32 {
        let index = piece_to(self.turn, m);
        let [pawns, one, two, four] = self.piece_to.map(|row| i32::from(row[index]));
        i32::from(self.from_to[quiet_index(m, self.threats)]) + pawns + one + two + four
    }
}

/// Adds a bonus with gravity: the nearer a value is to its bound, the less it moves.
fn apply_bonus(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    // Stays within the bound, which fits in 16 bits.
    *value = (old + bonus - old * bonus.abs() / MAX_HISTORY) as i16;
}

/// The index of a quiet move in the butterfly history.
fn quiet_index(m: Move, threats: &Threats) -> usize {
    threats.threat_index(m) * FROM_TO + m.from().index() * 64 + m.to().index()
}

fn capture_index(turn: Color, m: Move, captured: Option<Role>) -> usize {
    piece_to(turn, m) * 6 + captured.map_or(5, |role| role as usize)
}

/// The row of a pawn structure in the pawn history.
fn pawn_row(key: u64) -> usize {
    key as usize % PAWN_ROWS
}

/// The keys of the correction histories, in their order.
fn correction_keys(sub_keys: &SubKeys) -> [u64; 5] {
    [
        sub_keys.pawns,
        sub_keys.non_pawns.white,
        sub_keys.non_pawns.black,
        sub_keys.minors,
        sub_keys.majors,
    ]
}

fn correction_index(turn: Color, key: u64) -> usize {
    turn as usize * CORRECTION_ENTRIES + key as usize % CORRECTION_ENTRIES
}
