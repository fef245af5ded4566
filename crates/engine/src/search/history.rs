//! What moves were good for in other places of the tree: the order in which they are tried comes from here.

use tabiya_rules::{ByColor, Color, Move, Position, Role};

use crate::parts::Parts;

/// No number in these tables grows beyond it.
const MOST: i32 = 16_384;
/// Pairs of squares.
const SQUARE_PAIRS: usize = 64 * 64;
/// Pieces of both colors, by the squares they went to.
const PIECES: usize = 12 * 64;
/// The row of a move that was none.
pub(super) const NO_MOVE: usize = PIECES;
/// Rows for placements of pawns.
const PAWN_ROWS: usize = 512;
/// Rows for corrections.
const CORRECTIONS: usize = 1 << 14;
/// Corrections are kept in finer steps than hundredths of a pawn.
const CORRECTION_STEPS: i32 = 256;
/// No correction is greater, in hundredths of a pawn.
const MOST_CORRECTION: i32 = 64;

/// Where a move of a side stands in tables by piece and target.
pub(super) fn place(turn: Color, m: Move) -> usize {
    (turn as usize * 6 + m.role() as usize) * 64 + m.to().index()
}

/// What quiet moves of a position are looked up by: themselves, after earlier moves, and with these pawns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    pub(super) turn: Color,
    /// The places of the moves one, two and four half-moves ago.
    pub(super) before: [usize; 3],
    pub(super) pawn_key: u64,
}

/// The tables of one thread.
#[derive(Clone, Debug)]
pub(super) struct Histories {
    /// By color, then both squares.
    quiets: Box<ByColor<[i16; SQUARE_PAIRS]>>,
    /// By piece, target and what was captured.
    captures: Box<[i16]>,
    /// By an earlier move, then the move.
    continuations: Box<[[i16; PIECES]]>,
    /// By the pawns, then the move.
    pawns: Box<[[i16; PIECES]]>,
    /// By color and the pawns, and by the pieces of each side: how wrong the evaluation was.
    corrections: [Box<[i16]>; 3],
}

impl Histories {
    pub(super) fn new() -> Histories {
        let zeros = |length: usize| vec![0; length].into();
        Histories {
            quiets: Box::new(ByColor::from_fn(|_| [0; SQUARE_PAIRS])),
            captures: zeros(PIECES * 6),
            continuations: vec![[0; PIECES]; PIECES + 1].into(),
            pawns: vec![[0; PIECES]; PAWN_ROWS].into(),
            corrections: [(); 3].map(|()| zeros(2 * CORRECTIONS)),
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
    }

    /// The rows that belong to a position.
    pub(super) fn rows(&self, context: &Context) -> Rows<'_> {
        let [one, two, four] = context.before.map(|before| &self.continuations[before]);
        Rows {
            turn: context.turn,
            squares: &self.quiets[context.turn],
            pieces: [&self.pawns[pawn_row(context.pawn_key)], one, two, four],
        }
    }

    /// How good a capture promises to be, beside what it captures.
    pub(super) fn capture(&self, turn: Color, m: Move, captured: Option<Role>) -> i32 {
        i32::from(self.captures[capture(turn, m, captured)])
    }

    pub(super) fn reward_quiet(&mut self, context: &Context, m: Move, bonus: i32) {
        let place = place(context.turn, m);
        change(&mut self.quiets[context.turn][squares(m)], bonus);
        change(&mut self.pawns[pawn_row(context.pawn_key)][place], bonus);
        for before in context.before {
            change(&mut self.continuations[before][place], bonus);
        }
    }

    pub(super) fn reward_capture(
        &mut self,
        turn: Color,
        m: Move,
        captured: Option<Role>,
        bonus: i32,
    ) {
        change(&mut self.captures[capture(turn, m, captured)], bonus);
    }

    /// What the evaluation of such positions was usually short of.
    pub(super) fn correction(&self, turn: Color, parts: &Parts) -> i32 {
        let sum: i32 = self
            .corrections
            .iter()
            .zip(keys(parts))
            .map(|(table, key)| i32::from(table[correction_place(turn, key)]))
            .sum();
        sum / (2 * CORRECTION_STEPS)
    }

    /// Learns that an evaluation was short by so much, in a search so deep.
    pub(super) fn correct(&mut self, turn: Color, parts: &Parts, short: i32, depth: i32) {
        let weight = (depth + 1).min(16);
        let limit = MOST_CORRECTION * CORRECTION_STEPS;
        for (table, key) in self.corrections.iter_mut().zip(keys(parts)) {
            let slot = &mut table[correction_place(turn, key)];
            let old = i32::from(*slot);
            let new = (old * (256 - weight) + short * CORRECTION_STEPS * weight) / 256;
            // The limit is a number of 16 bits.
            *slot = new.clamp(-limit, limit) as i16;
        }
    }
}

/// The rows of the tables that belong to one position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows<'a> {
    turn: Color,
    squares: &'a [i16; SQUARE_PAIRS],
    pieces: [&'a [i16; PIECES]; 4],
}

impl Rows<'_> {
    /// How good a quiet move promises to be.
    #[inline]
    pub(super) fn quiet(&self, m: Move) -> i32 {
        let place = place(self.turn, m);
        let [pawns, one, two, four] = self.pieces.map(|row| i32::from(row[place]));
        i32::from(self.squares[squares(m)]) + pawns + one + two + four
    }
}

/// What a capture takes; a promotion by a step takes nothing.
pub(super) fn captured(position: &Position, m: Move) -> Option<Role> {
    if m.is_en_passant() {
        Some(Role::Pawn)
    } else if m.is_castle() {
        None
    } else {
        position.board().role_at(m.to())
    }
}

/// Greater for results of deeper searches.
pub(super) fn bonus(depth: i32) -> i32 {
    (depth * 160 - 60).clamp(60, 1600)
}

/// Moves a number towards the bonus, less the nearer it is to its limit.
fn change(number: &mut i16, bonus: i32) {
    let old = i32::from(*number);
    // Stays within the limit, which is a number of 16 bits.
    *number = (old + bonus - old * bonus.abs() / MOST) as i16;
}

fn squares(m: Move) -> usize {
    m.from().index() * 64 + m.to().index()
}

fn capture(turn: Color, m: Move, captured: Option<Role>) -> usize {
    place(turn, m) * 6 + captured.map_or(5, |role| role as usize)
}

fn pawn_row(key: u64) -> usize {
    key as usize % PAWN_ROWS
}

fn keys(parts: &Parts) -> [u64; 3] {
    [parts.pawns, parts.pieces.white, parts.pieces.black]
}

fn correction_place(turn: Color, key: u64) -> usize {
    turn as usize * CORRECTIONS + key as usize % CORRECTIONS
}
