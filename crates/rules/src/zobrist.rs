//! The Zobrist numbers that position keys are made of: fixed, and computed at compile time from one seed.

use crate::{Color, File, Move, Role, Square};

/// The SplitMix64 generator: a fixed sequence of well-mixed numbers for each seed.
///
/// It is public because seeded tests and programs need numbers that never change between versions.
///
/// ```
/// use tabiya_rules::SplitMix64;
///
/// let (mut a, mut b) = (SplitMix64::new(7), SplitMix64::new(7));
/// assert_eq!(a.next_u64(), b.next_u64());
/// assert!(a.below(6) < 6);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Creates the sequence of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        SplitMix64(seed)
    }

    /// Returns the next number.
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// Returns a number below `bound`, or 0 if `bound` is 0.
    pub const fn below(&mut self, bound: usize) -> usize {
        ((self.next_u64() as u128 * bound as u128) >> 64) as usize
    }
}

struct Numbers {
    /// Eight rows of squares for each color, by the kind of a plain move, which is the role plus one. Unused rows are
    /// zero.
    pieces: [u64; 1024],
    /// By file, then a 0 for no file; rounded up, so that any four bits are a valid index.
    en_passant: [u64; 16],
    black_to_move: u64,
}

static NUMBERS: Numbers = numbers();

const fn numbers() -> Numbers {
    let mut random = SplitMix64::new(0x0074_6162_6979_6131);
    let mut numbers = Numbers {
        pieces: [0; 1024],
        en_passant: [0; 16],
        black_to_move: random.next_u64(),
    };
    let mut i = 0;
    while i < 2 * 6 * 64 {
        numbers.pieces[i / 384 * 512 + 64 + i % 384] = random.next_u64();
        i += 1;
    }
    i = 0;
    while i < 8 {
        numbers.en_passant[i] = random.next_u64();
        i += 1;
    }
    numbers
}

#[inline(always)]
pub(crate) fn piece(color: Color, role: Role, square: Square) -> u64 {
    coded_piece(color as usize * 8 + role as usize, square as u32)
}

/// Like [`piece`], by a piece's number: its role, plus 8 for Black. 7 and 15 are not pieces and have zeros.
#[inline(always)]
pub(crate) fn coded_piece(piece: usize, square: u32) -> u64 {
    NUMBERS.pieces[((piece + 1) * 64 + square as usize % 64) % 1024]
}

/// Returns the combined numbers of a piece on the squares that a plain move leaves and enters. The move's bits,
/// shifted, are the indices.
#[inline(always)]
pub(crate) fn plain_move(color: Color, m: Move) -> u64 {
    let left = m.piece_square_index(color);
    let entered = left & !63 | usize::from(m.bits()) & 63;
    NUMBERS.pieces[left] ^ NUMBERS.pieces[entered]
}

/// Returns the number of a set of castling rights, given as their rooks on the back ranks: 0 for none, and different
/// for different sets, because the multiplier is odd. Arithmetic instead of a table, because every move needs the
/// numbers before and after it.
#[inline(always)]
pub(crate) const fn castling(rooks: u64) -> u64 {
    (rooks & 0xff | rooks >> 48).wrapping_mul(CASTLING)
}

const CASTLING: u64 = SplitMix64::new(0x6361_7374_6c69_6e67).next_u64() | 1;

/// Returns the number of a file on which a legal move captures en passant; 0 for none.
#[inline(always)]
pub(crate) fn en_passant(file: Option<File>) -> u64 {
    // The compiler stores `None` as the same number, so there is no branch.
    NUMBERS.en_passant[file.map_or(8, File::index) % 16]
}

#[inline(always)]
pub(crate) fn turn(color: Color) -> u64 {
    match color {
        Color::White => 0,
        Color::Black => NUMBERS.black_to_move,
    }
}
