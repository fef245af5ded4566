//! Sliding attacks by arithmetic, for CPUs without a fast PEXT instruction.
//!
//! Subtracting a slider's bit from the pieces on its line flips every bit up to the first piece
//! in one direction; doing the same on the byte-swapped board gives the other direction. A rank
//! is a single byte, which the swap leaves as it is, so ranks have a table of their own.

use super::Sliders;

/// Sliding attacks by arithmetic, known as hyperbola quintessence. Needs 2 KiB of tables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HyperbolaQuintessence;

/// The lines through a square, without the square itself.
struct Masks {
    file: u64,
    diagonal: u64,
    anti_diagonal: u64,
}

static MASKS: [Masks; 64] = masks();
/// Attacks on a rank by file and by the six inner squares of the rank.
static RANKS: [[u8; 64]; 8] = ranks();

impl Sliders for HyperbolaQuintessence {
    #[inline(always)]
    fn rook_bits(self, square: usize, occupied: u64) -> u64 {
        rook(square & 63, occupied)
    }

    #[inline(always)]
    fn bishop_bits(self, square: usize, occupied: u64) -> u64 {
        bishop(square & 63, occupied)
    }
}

#[inline(always)]
fn rook(square: usize, occupied: u64) -> u64 {
    along(square, occupied, MASKS[square].file) | along_rank(square, occupied)
}

#[inline(always)]
fn bishop(square: usize, occupied: u64) -> u64 {
    let masks = &MASKS[square];
    along(square, occupied, masks.diagonal) | along(square, occupied, masks.anti_diagonal)
}

/// Returns the attacks in both directions along a line that has one square on each rank.
#[inline(always)]
fn along(square: usize, occupied: u64, line: u64) -> u64 {
    let slider = 1 << square;
    let pieces = occupied & line;
    let up = pieces.wrapping_sub(slider);
    let down = pieces
        .swap_bytes()
        .wrapping_sub(slider.swap_bytes())
        .swap_bytes();
    (up ^ down) & line
}

#[inline(always)]
fn along_rank(square: usize, occupied: u64) -> u64 {
    let shift = square & 56;
    let inner = (occupied >> (shift + 1)) as usize & 63;
    (RANKS[square & 7][inner] as u64) << shift
}

const fn masks() -> [Masks; 64] {
    const NONE: Masks = Masks {
        file: 0,
        diagonal: 0,
        anti_diagonal: 0,
    };
    let mut table = [NONE; 64];
    let mut square = 0;
    while square < 64 {
        let mut other = 0;
        while other < 64 {
            let files = other % 8 - square % 8;
            let ranks = other / 8 - square / 8;
            let bit = 1 << other;
            if other == square {
            } else if files == 0 {
                table[square as usize].file |= bit;
            } else if files == ranks {
                table[square as usize].diagonal |= bit;
            } else if files == -ranks {
                table[square as usize].anti_diagonal |= bit;
            }
            other += 1;
        }
        square += 1i32;
    }
    table
}

const fn ranks() -> [[u8; 64]; 8] {
    let mut table = [[0; 64]; 8];
    let mut file = 0;
    while file < 8 {
        let mut inner = 0;
        while inner < 64 {
            let occupied = (inner as u64) << 1;
            let from = crate::Square::ALL[file];
            table[file][inner] = super::walk::slide(from, occupied, &[(1, 0), (-1, 0)]) as u8;
            inner += 1;
        }
        file += 1;
    }
    table
}
