//! The slow form: attacks found by walking square by square. It makes the tables at compile time
//! and checks the fast forms in tests.

use crate::Square;

/// A step as (files, ranks).
pub(crate) type Step = (i8, i8);

pub(crate) const KING_STEPS: [Step; 8] = [
    (-1, -1),
    (0, -1),
    (1, -1),
    (-1, 0),
    (1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
];
pub(crate) const KNIGHT_STEPS: [Step; 8] = [
    (-1, -2),
    (1, -2),
    (-2, -1),
    (2, -1),
    (-2, 1),
    (2, 1),
    (-1, 2),
    (1, 2),
];
pub(crate) const ROOK_STEPS: [Step; 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
pub(crate) const BISHOP_STEPS: [Step; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

/// Returns the squares one step away, for every square.
pub(crate) const fn steps(steps: &[Step]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < steps.len() {
            if let Some(to) = Square::ALL[square].offset(steps[i].0, steps[i].1) {
                table[square] |= 1 << to as u32;
            }
            i += 1;
        }
        square += 1;
    }
    table
}

/// Returns the squares reached in each direction, up to and including the first piece.
pub(crate) const fn slide(from: Square, occupied: u64, steps: &[Step]) -> u64 {
    let mut reached = 0;
    let mut i = 0;
    while i < steps.len() {
        let mut square = from;
        while let Some(next) = square.offset(steps[i].0, steps[i].1) {
            reached |= 1 << next as u32;
            if occupied >> next as u32 & 1 == 1 {
                break;
            }
            square = next;
        }
        i += 1;
    }
    reached
}

/// Returns the squares a sliding piece attacks on an empty board, given its directions.
pub(crate) const fn rays(steps: &[Step]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = slide(Square::ALL[square], 0, steps);
        square += 1;
    }
    table
}

/// Returns the squares strictly between any two squares of one line.
pub(crate) const fn between() -> [[u64; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < 8 {
            let (files, ranks) = KING_STEPS[i];
            let mut passed = 0;
            let mut square = Square::ALL[from];
            while let Some(next) = square.offset(files, ranks) {
                table[from][next as usize] = passed;
                passed |= 1 << next as u32;
                square = next;
            }
            i += 1;
        }
        from += 1;
    }
    table
}
