//! Sliding attacks by one look-up, with an index that PEXT gathers from the relevant squares.

use super::lines;
use super::walk::{BISHOP_STEPS, ROOK_STEPS, slide};
use crate::Square;

/// Where a square's attacks lie in [`ATTACKS`].
pub(crate) struct Entry {
    /// The squares whose occupancy matters; the last square of a ray never does.
    pub(crate) rook_mask: u64,
    pub(crate) bishop_mask: u64,
    pub(crate) rook_offset: u32,
    pub(crate) bishop_offset: u32,
}

const SIZE: usize = 102_400 + 5_248;

pub(crate) static ENTRIES: [Entry; 64] = entries();
/// Attacks of rooks, then of bishops, by square and by gathered occupancy.
pub(crate) static ATTACKS: [u64; SIZE] = attacks();

const fn entries() -> [Entry; 64] {
    const NONE: Entry = Entry {
        rook_mask: 0,
        bishop_mask: 0,
        rook_offset: 0,
        bishop_offset: 0,
    };
    let mut table = [NONE; 64];
    let mut offset = 0;
    let mut square = 0;
    while square < 64 {
        table[square].rook_mask = relevant(square, &ROOK_STEPS);
        table[square].rook_offset = offset;
        offset += 1 << table[square].rook_mask.count_ones();
        square += 1;
    }
    square = 0;
    while square < 64 {
        table[square].bishop_mask = relevant(square, &BISHOP_STEPS);
        table[square].bishop_offset = offset;
        offset += 1 << table[square].bishop_mask.count_ones();
        square += 1;
    }
    assert!(offset as usize == SIZE);
    table
}

/// The squares whose occupancy can shorten a ray: all but the last of each.
const fn relevant(square: usize, steps: &[(i8, i8)]) -> u64 {
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
        let entry = &ENTRIES[square];
        // Subtracting the mask steps through its subsets in the order in which PEXT numbers them,
        // and comes back to the empty set after the last.
        let mut occupied = 0u64;
        let mut index = entry.rook_offset as usize;
        loop {
            table[index] = lines::rook(square, occupied);
            index += 1;
            occupied = occupied.wrapping_sub(entry.rook_mask) & entry.rook_mask;
            if occupied == 0 {
                break;
            }
        }
        index = entry.bishop_offset as usize;
        loop {
            table[index] = lines::bishop(square, occupied);
            index += 1;
            occupied = occupied.wrapping_sub(entry.bishop_mask) & entry.bishop_mask;
            if occupied == 0 {
                break;
            }
        }
        square += 1;
    }
    table
}
