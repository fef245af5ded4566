//! What is computed over whole rows of neurons: plain loops, which are compiled for each width of vector registers.
//!
//! Everything here is inlined into one [`Kernel`], so that the width is chosen once for each evaluation. The sums wrap
//! instead of overflowing; the file's check rules out that they do in any position with up to 32 pieces.

use tabiya_rules::cpu::Kernel;
use tabiya_rules::{Board, Color};

use super::accumulators::Accumulators;
use super::{HIDDEN, Network, QA};

/// One number for each neuron of a side, where vector instructions like them to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(super) struct Row(pub(super) [i16; HIDDEN]);

impl Row {
    pub(super) const ZERO: Row = Row([0; HIDDEN]);

    /// Adds a row.
    #[inline(always)]
    pub(super) fn add(&mut self, other: &Row) {
        for (sum, &number) in self.0.iter_mut().zip(&other.0) {
            *sum = sum.wrapping_add(number);
        }
    }

    /// Becomes another row with one row added and one removed.
    #[inline(always)]
    pub(super) fn set_moved(&mut self, from: &Row, added: &Row, removed: &Row) {
        for i in 0..HIDDEN {
            let moved = added.0[i].wrapping_sub(removed.0[i]);
            self.0[i] = from.0[i].wrapping_add(moved);
        }
    }

    /// Becomes another row with one row added and two removed.
    #[inline(always)]
    pub(super) fn set_captured(&mut self, from: &Row, added: &Row, removed: [&Row; 2]) {
        let [first, second] = removed;
        for i in 0..HIDDEN {
            let moved = added.0[i].wrapping_sub(first.0[i]);
            let sum = from.0[i].wrapping_add(moved);
            self.0[i] = sum.wrapping_sub(second.0[i]);
        }
    }

    /// The squares of the clipped numbers, weighed and summed up.
    #[inline(always)]
    fn weighed(&self, weights: &Row) -> i32 {
        let mut sum = 0_i32;
        for i in 0..HIDDEN {
            let active = self.0[i].clamp(0, QA);
            // It fits, because no weight of an output is greater than 127.
            let product = active.wrapping_mul(weights.0[i]);
            sum = sum.wrapping_add(i32::from(product) * i32::from(active));
        }
        sum
    }
}

/// Brings the sums of both sides up to date, and gives the weighed sum of the output.
#[derive(Debug)]
pub(super) struct Evaluate<'a> {
    pub(super) network: &'a Network,
    pub(super) accumulators: &'a mut Accumulators,
    pub(super) board: &'a Board,
    pub(super) turn: Color,
    pub(super) bucket: usize,
    pub(super) ply: usize,
}

impl Kernel for Evaluate<'_> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        for color in Color::ALL {
            let accumulators = &mut *self.accumulators;
            accumulators.update(self.network, self.board, color, self.ply);
        }
        let rows = self.accumulators.rows(self.ply);
        let [own, other] = &self.network.outputs[self.bucket];
        rows[self.turn]
            .weighed(own)
            .wrapping_add(rows[!self.turn].weighed(other))
    }
}
