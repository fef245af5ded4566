//! How much less deep late moves are searched: a table made of whole numbers, so that it is the same everywhere.

use super::moves::Candidate;
use super::negamax::Node;

/// A half-move, in the unit of reductions.
pub(super) const HALF_MOVE: i32 = 1024;

/// Depths and move numbers the table goes up to.
const SIZE: usize = 64;

/// In parts of [`HALF_MOVE`], by depth and the number of the move.
static TABLE: [[i32; SIZE]; SIZE] = table();

/// How much less deep a quiet move is searched, in parts of [`HALF_MOVE`], if nothing else is known.
pub(super) fn reduction(depth: i32, number: usize) -> i32 {
    let row = depth.clamp(0, SIZE as i32 - 1) as usize;
    TABLE[row][number.min(SIZE - 1)]
}

/// How much less deep a late move is searched, in half-moves: less where the line or the move matters more, and where the
/// histories promise much of it.
pub(super) fn lessened<const OPEN: bool>(node: &Node, candidate: &Candidate) -> i32 {
    let mut less = reduction(node.depth, candidate.number);
    if !candidate.quiet {
        less /= 2;
    }
    if OPEN || node.known.is_some_and(|entry| entry.open) {
        less -= HALF_MOVE;
    }
    if node.cut {
        less += HALF_MOVE;
    }
    if !node.improving {
        less += HALF_MOVE / 2;
    }
    if node.in_check || candidate.checks {
        less -= HALF_MOVE;
    }
    less -= candidate.history / 10;
    less / HALF_MOVE
}

/// A constant and a share of the product of both logarithms: it grows ever more slowly with either.
const fn table() -> [[i32; SIZE]; SIZE] {
    let mut table = [[0; SIZE]; SIZE];
    let mut depth = 1;
    while depth < SIZE {
        let mut number = 1;
        while number < SIZE {
            let product = logarithm(depth as u64) * logarithm(number as u64) / 1024;
            table[depth][number] = (800 + product * 215 / 1000) as i32;
            number += 1;
        }
        depth += 1;
    }
    table
}

/// The binary logarithm in 1024ths, bit by bit: squaring doubles it.
const fn logarithm(number: u64) -> i64 {
    let whole = number.ilog2();
    let mut result = (whole as i64) << 10;
    // Between one and two, in 2^30ths.
    let mut rest = (number << 30) >> whole;
    let mut bit = 512;
    while bit > 0 {
        rest = (rest * rest) >> 30;
        if rest >= 2 << 30 {
            rest >>= 1;
            result += bit;
        }
        bit /= 2;
    }
    result
}

#[cfg(test)]
mod tests {
    //! The logarithm is one, and reductions grow.

    use super::*;

    #[test]
    fn the_logarithm_is_right() {
        for number in 1..2000_u64 {
            let exact = (number as f64).log2() * 1024.0;
            assert!((logarithm(number) as f64 - exact).abs() < 2.0, "{number}");
        }
    }

    #[test]
    fn later_and_deeper_is_reduced_more() {
        for depth in 2..70 {
            for number in 2..70 {
                assert!(reduction(depth, number) >= reduction(depth, number - 1));
                assert!(reduction(depth, number) >= reduction(depth - 1, number));
            }
        }
    }
}
