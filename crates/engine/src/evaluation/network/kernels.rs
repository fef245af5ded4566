//! What is computed over whole rows of neurons: plain loops, which are compiled for each width of vector registers.
//!
//! Everything here is inlined into one [`Kernel`], so that the width is chosen once for each evaluation. Everything must
//! inline: a call such as `array::map` may be compiled without the CPU features. The sums wrap instead of overflowing;
//! `check_ranges` refuses files that could overflow in a position with up to 32 pieces.

use tabiya_rules::cpu::Kernel;
use tabiya_rules::{Board, Color};

use super::accumulators::Accumulators;
use super::{HIDDEN, Network, QA, bucket};

/// How many numbers are taken at once: as many as fit into the registers of every width. A loop over a local array
/// vectorizes well; over whole rows the compiler must assume aliasing.
const BLOCK: usize = 64;
/// How many numbers are multiplied by their weights at once.
const HALF: usize = BLOCK / 2;

const _: () = assert!(HIDDEN.is_multiple_of(BLOCK));

/// One number for each neuron of a perspective, aligned for vector loads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(super) struct Row(pub(super) [i16; HIDDEN]);

impl Row {
    pub(super) const ZERO: Row = Row([0; HIDDEN]);

    #[inline(always)]
    fn blocks(&self) -> &[[i16; BLOCK]] {
        self.0.as_chunks().0
    }

    #[inline(always)]
    fn blocks_mut(&mut self) -> &mut [[i16; BLOCK]] {
        self.0.as_chunks_mut().0
    }

    /// Adds a row.
    #[inline(always)]
    pub(super) fn add(&mut self, other: &Row) {
        for (sum, &number) in self.0.iter_mut().zip(&other.0) {
            *sum = sum.wrapping_add(number);
        }
    }

    /// Becomes another row with one row added and one subtracted: a move.
    #[inline(always)]
    pub(super) fn set_add_sub(&mut self, from: &Row, added: &Row, removed: &Row) {
        let rows = from
            .blocks()
            .iter()
            .zip(added.blocks())
            .zip(removed.blocks());
        for (to, ((from, added), removed)) in self.blocks_mut().iter_mut().zip(rows) {
            let mut sums = [0_i16; BLOCK];
            for i in 0..BLOCK {
                sums[i] = from[i].wrapping_add(added[i]).wrapping_sub(removed[i]);
            }
            *to = sums;
        }
    }

    /// Becomes another row with one row added and two subtracted: a capture.
    #[inline(always)]
    pub(super) fn set_add_sub_sub(&mut self, from: &Row, added: &Row, removed: [&Row; 2]) {
        let [first, second] = removed;
        let rows = from
            .blocks()
            .iter()
            .zip(added.blocks())
            .zip(first.blocks())
            .zip(second.blocks());
        for (to, (((from, added), first), second)) in self.blocks_mut().iter_mut().zip(rows) {
            let mut sums = [0_i16; BLOCK];
            for i in 0..BLOCK {
                let moved = from[i].wrapping_add(added[i]).wrapping_sub(first[i]);
                sums[i] = moved.wrapping_sub(second[i]);
            }
            *to = sums;
        }
    }

    /// The dot product of the activations (SCReLU) with the weights.
    #[inline(always)]
    pub(super) fn screlu_dot(&self, weights: &Row) -> i32 {
        let mut sum = 0_i32;
        for (numbers, weights) in self.blocks().iter().zip(weights.blocks()) {
            let (numbers, weights) = (numbers.as_chunks().0, weights.as_chunks().0);
            let first = screlu_dot_pairs(&numbers[0], &weights[0]);
            let second = screlu_dot_pairs(&numbers[1], &weights[1]);
            for i in 0..HALF / 2 {
                sum = sum.wrapping_add(first[i].wrapping_add(second[i]));
            }
        }
        sum
    }
}

/// The products of activations (SCReLU) and weights, each summed with its neighbor: one vector instruction does both.
#[inline(always)]
fn screlu_dot_pairs(numbers: &[i16; HALF], weights: &[i16; HALF]) -> [i32; HALF / 2] {
    let (mut active, mut products) = ([0_i16; HALF], [0_i16; HALF]);
    for i in 0..HALF {
        active[i] = numbers[i].clamp(0, QA);
        // It fits: `check_ranges` refuses files with larger output weights.
        products[i] = active[i].wrapping_mul(weights[i]);
    }
    let mut pairs = [0_i32; HALF / 2];
    for (i, pair) in pairs.iter_mut().enumerate() {
        let product = |i: usize| i32::from(active[i]) * i32::from(products[i]);
        *pair = product(2 * i).wrapping_add(product(2 * i + 1));
    }
    pairs
}

/// Updates the accumulators of both perspectives, and computes the score.
#[derive(Debug)]
pub(super) struct Evaluate<'a> {
    pub(super) network: &'a Network,
    pub(super) accumulators: &'a mut Accumulators,
    pub(super) board: &'a Board,
    pub(super) turn: Color,
    pub(super) ply: usize,
}

impl Kernel for Evaluate<'_> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        self.accumulators.update(self.network, self.board, self.ply);
        let rows = self.accumulators.rows(self.ply);
        let bucket = bucket(self.board.occupied().count());
        let [own, other] = &self.network.outputs[bucket];
        let sum = rows[self.turn]
            .screlu_dot(own)
            .wrapping_add(rows[!self.turn].screlu_dot(other));
        self.network.score(bucket, sum)
    }
}
