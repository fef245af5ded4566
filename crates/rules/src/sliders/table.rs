//! Sliding attacks by one look-up, with an index that PEXT gathers from the relevant squares.

use super::lines;
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
    let mut square = 0;
    while square < 64 {
        // Subtracting the mask steps through its subsets in the order in which PEXT numbers them,
        // and returns to the empty set after the last.
        let mut occupied = 0u64;
        let mut index = ROOK[square].offset;
        loop {
            table[index] = lines::rook(square, occupied);
            index += 1;
            occupied = occupied.wrapping_sub(ROOK[square].mask) & ROOK[square].mask;
            if occupied == 0 {
                break;
            }
        }
        index = BISHOP[square].offset;
        loop {
            table[index] = lines::bishop(square, occupied);
            index += 1;
            occupied = occupied.wrapping_sub(BISHOP[square].mask) & BISHOP[square].mask;
            if occupied == 0 {
                break;
            }
        }
        square += 1;
    }
    table
}
