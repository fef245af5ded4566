//! Sliding attacks by one look-up, with an index that PEXT gathers from the relevant squares.

use super::walk::{BISHOP_STEPS, ROOK_STEPS, Step, slide};
use crate::Square;

/// Where a square's attacks lie in [`ATTACKS`].
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    /// The squares whose occupancy matters; the last square of a ray never does.
    pub(crate) mask: u64,
    /// The index of the first of its `2.pow(mask.count_ones())` entries.
    pub(crate) offset: usize,
}

const ROOKS: usize = 102_400;
pub(crate) const SIZE: usize = ROOKS + 5_248;

pub(crate) static ROOK: [Entry; 64] = entries(0, &ROOK_STEPS);
pub(crate) static BISHOP: [Entry; 64] = entries(ROOKS, &BISHOP_STEPS);
/// Attacks of rooks, then of bishops, by square and by gathered occupancy.
pub(crate) static ATTACKS: [u64; SIZE] = attacks();

const fn entries(start: usize, steps: &[Step]) -> [Entry; 64] {
    let mut table = [Entry { mask: 0, offset: 0 }; 64];
    let mut offset = start;
    let mut square = 0;
    while square < 64 {
        let mask = relevant(square, steps);
        table[square] = Entry { mask, offset };
        offset += 1 << mask.count_ones();
        square += 1;
    }
    // Every index that PEXT can make is in the table; the unsafe look-up relies on this.
    assert!(offset <= SIZE);
    table
}

/// Returns the squares whose occupancy can shorten a ray: all but the last square of each.
const fn relevant(square: usize, steps: &[Step]) -> u64 {
    let mut squares = 0;
    let mut i = 0;
    while i < steps.len() {
        let ray = slide(Square::ALL[square], 0, &[steps[i]]);
        let mut walk = Square::ALL[square];
        while let Some(next) = walk.offset(steps[i].0, steps[i].1) {
            walk = next;
        }
        squares |= ray & !(1 << walk as u32);
        i += 1;
    }
    squares
}

const fn attacks() -> [u64; SIZE] {
    let mut table = [0; SIZE];
    fill(&mut table, &ROOK, &ROOK_STEPS);
    fill(&mut table, &BISHOP, &BISHOP_STEPS);
    table
}

/// A slider attacks what it would attack past each of the pieces alone. So every relevant square doubles the number of
/// entries with one operation each, in the order in which PEXT numbers them, and the compiler is done in a moment.
const fn fill(table: &mut [u64; SIZE], entries: &[Entry; 64], steps: &[Step]) {
    let mut square = 0;
    while square < 64 {
        let Entry { mut mask, offset } = entries[square];
        table[offset] = slide(Square::ALL[square], 0, steps);
        let mut count = 1;
        while mask != 0 {
            let past_piece = slide(Square::ALL[square], mask & mask.wrapping_neg(), steps);
            let mut i = 0;
            while i < count {
                table[offset + count + i] = table[offset + i] & past_piece;
                i += 1;
            }
            count *= 2;
            mask &= mask - 1;
        }
        square += 1;
    }
}
