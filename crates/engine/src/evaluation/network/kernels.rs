//! What is computed over whole rows of neurons: plain loops, which are compiled for each width of vector registers.
//!
//! Everything here is inlined into one [`Kernel`], so that the width is chosen once for each evaluation. The sums wrap
//! instead of overflowing; the file's check rules out that they do in any position with up to 32 pieces. What is not sure
//! to be inlined, as `array::map` is not, would be compiled for any CPU only, and has no place here.

use tabiya_rules::cpu::Kernel;
use tabiya_rules::{Board, Color};

use super::accumulators::Accumulators;
use super::{HIDDEN, Network, QA, bucket};

/// How many numbers are taken at once: as many as fit into the registers of every width. The compiler makes the best of a
/// loop over a local array of this length; of loops over whole rows it fears that they overlap.
const BLOCK: usize = 64;
/// How many numbers are weighed at once.
const HALF: usize = BLOCK / 2;

const _: () = assert!(HIDDEN.is_multiple_of(BLOCK));

/// One number for each neuron of a side, where vector instructions like them to be.
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

    /// Becomes another row with one row added and one removed.
    #[inline(always)]
    pub(super) fn set_moved(&mut self, from: &Row, added: &Row, removed: &Row) {
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

    /// Becomes another row with one row added and two removed.
    #[inline(always)]
    pub(super) fn set_captured(&mut self, from: &Row, added: &Row, removed: [&Row; 2]) {
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

    /// The squares of the clipped numbers, weighed and summed up.
    #[inline(always)]
    pub(super) fn weighed(&self, weights: &Row) -> i32 {
        let mut sum = 0_i32;
        for (numbers, weights) in self.blocks().iter().zip(weights.blocks()) {
            let (numbers, weights) = (numbers.as_chunks().0, weights.as_chunks().0);
            let first = weighed_pairs(&numbers[0], &weights[0]);
            let second = weighed_pairs(&numbers[1], &weights[1]);
            for i in 0..HALF / 2 {
                sum = sum.wrapping_add(first[i].wrapping_add(second[i]));
            }
        }
        sum
    }
}

/// The squares of clipped numbers, weighed, each with its neighbor: vector instructions add those at once.
#[inline(always)]
fn weighed_pairs(numbers: &[i16; HALF], weights: &[i16; HALF]) -> [i32; HALF / 2] {
    let (mut active, mut products) = ([0_i16; HALF], [0_i16; HALF]);
    for i in 0..HALF {
        active[i] = numbers[i].clamp(0, QA);
        // It fits: no weight of an output is greater than the file's check allows.
        products[i] = active[i].wrapping_mul(weights[i]);
    }
    let mut pairs = [0_i32; HALF / 2];
    for (i, pair) in pairs.iter_mut().enumerate() {
        let product = |i: usize| i32::from(active[i]) * i32::from(products[i]);
        *pair = product(2 * i).wrapping_add(product(2 * i + 1));
    }
    pairs
}

/// Brings the sums of both sides up to date, and gives the score.
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
            .weighed(own)
            .wrapping_add(rows[!self.turn].weighed(other));
        self.network.score(bucket, sum)
    }
}
