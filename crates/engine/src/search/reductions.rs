//! Late move reductions (LMR), from a table in integer arithmetic, so that it is the same on every machine.

use super::move_loop::Candidate;
use super::negamax::NodeInfo;
use crate::params::SearchParams;

/// One ply, in the unit of reductions.
pub(super) const ONE_PLY: i32 = 1024;

/// Depths and move numbers that the table covers.
const SIZE: usize = 64;

/// The product of the logarithms of depth and move number, in parts of [`ONE_PLY`].
static LOG_PRODUCTS: [[i32; SIZE]; SIZE] = log_products();

/// The reduction by depth and move number alone, in parts of [`ONE_PLY`].
pub(super) fn base_reduction(params: &SearchParams, depth: i32, move_number: usize) -> i32 {
    let row = depth.clamp(0, SIZE as i32 - 1) as usize;
    let product = LOG_PRODUCTS[row][move_number.min(SIZE - 1)];
    params.lmr_base + product * params.lmr_factor / 1000
}

/// A child with more beta cutoffs than this is reduced more.
const MANY_CUTOFFS: u32 = 3;

/// The reduction of a late move in plies: smaller in PV nodes, for checks, for moves with a good history and where the
/// evaluation needed a large correction, larger in cut nodes and where the child has had many cutoffs.
pub(super) fn lmr_reduction<const PV: bool>(
    params: &SearchParams,
    info: &NodeInfo,
    candidate: &Candidate,
    child_cutoffs: u32,
) -> i32 {
    let mut reduction = base_reduction(params, info.depth, candidate.number);
    if !candidate.quiet {
        reduction /= 2;
    }
    if PV || info.tt_pv() {
        reduction -= params.lmr_pv;
    }
    if info.cut_node {
        reduction += params.lmr_cut_node;
    }
    if !info.improving {
        reduction += params.lmr_not_improving;
    }
    if info.in_check || candidate.gives_check {
        reduction -= params.lmr_check;
    }
    if child_cutoffs > MANY_CUTOFFS {
        reduction += params.lmr_cutoffs;
    }
    reduction -= info.correction() * params.lmr_correction;
    reduction -= candidate.history / params.lmr_history;
    reduction / ONE_PLY
}

/// The products of the logarithms of depth and move number.
const fn log_products() -> [[i32; SIZE]; SIZE] {
    let mut table = [[0; SIZE]; SIZE];
    let mut depth = 1;
    while depth < SIZE {
        let mut number = 1;
        while number < SIZE {
            table[depth][number] = (log2(depth as u64) * log2(number as u64) / 1024) as i32;
            number += 1;
        }
        depth += 1;
    }
    table
}

/// The binary logarithm in 1024ths, one bit at a time by repeated squaring.
const fn log2(number: u64) -> i64 {
    let whole = number.ilog2();
    let mut result = (whole as i64) << 10;
    // The mantissa in [1, 2), in 2^30ths.
    let mut mantissa = (number << 30) >> whole;
    let mut bit = 512;
    while bit > 0 {
        mantissa = (mantissa * mantissa) >> 30;
        if mantissa >= 2 << 30 {
            mantissa >>= 1;
            result += bit;
        }
        bit /= 2;
    }
    result
}

#[cfg(test)]
mod tests {
    //! The logarithm is accurate, and reductions grow with depth and move number.

    use super::*;

    #[test]
    fn the_logarithm_is_accurate() {
        for number in 1..2000_u64 {
            let exact = (number as f64).log2() * 1024.0;
            assert!((log2(number) as f64 - exact).abs() < 2.0, "{number}");
        }
    }

    #[test]
    fn reductions_grow_with_depth_and_move_number() {
        let reduction = |depth, number| base_reduction(&SearchParams::default(), depth, number);
        for depth in 2..70 {
            for number in 2..70 {
                assert!(reduction(depth, number) >= reduction(depth, number - 1));
                assert!(reduction(depth, number) >= reduction(depth - 1, number));
            }
        }
    }
}
