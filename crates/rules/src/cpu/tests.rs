//! Every code path this CPU can take gives the same answers.

use super::x86::{run_on_each_path, run_wide_on_each_path};
use super::{Kernel, Sliders, Task};
use crate::SplitMix64;

/// A hash of the squares that sliders attack, and of their number, over all squares of some boards.
#[derive(Clone, Copy)]
struct Mix {
    seed: u64,
}

impl Task for Mix {
    type Output = u64;

    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) -> u64 {
        let mut random = SplitMix64::new(self.seed);
        let mut mix = 0u64;
        for _ in 0..200 {
            let occupied = random.next_u64() & random.next_u64();
            for square in 0..64 {
                let attacks = [
                    sliders.rook_bits(square, occupied),
                    sliders.bishop_bits(square, occupied),
                ];
                for set in attacks {
                    let bits = u64::from(set.count_ones() + set.trailing_zeros());
                    mix = mix.rotate_left(5) ^ set.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ bits;
                }
            }
        }
        mix
    }
}

#[test]
fn all_code_paths_agree() {
    for seed in 0..20 {
        let [plain, counting, pext] = run_on_each_path(Mix { seed });
        for other in [counting, pext].into_iter().flatten() {
            assert_eq!(Some(other), plain);
        }
        assert_eq!(Some(super::run(Mix { seed })), plain);
    }
}

/// Rows of 16-bit numbers, added, clamped, multiplied and summed as in a neural network.
#[derive(Clone, Copy)]
struct Rows<'a>(&'a [[i16; 96]; 4]);

impl Kernel for Rows<'_> {
    type Output = (i32, [i16; 96]);

    #[inline(always)]
    fn run(self) -> (i32, [i16; 96]) {
        let [from, added, removed, weights] = self.0;
        let mut row = [0; 96];
        let mut sum = 0_i32;
        for i in 0..96 {
            row[i] = from[i].wrapping_add(added[i]).wrapping_sub(removed[i]);
            let active = row[i].clamp(0, 255);
            let product = active.wrapping_mul(weights[i]);
            sum = sum.wrapping_add(i32::from(product) * i32::from(active));
        }
        (sum, row)
    }
}

#[test]
fn all_widths_agree() {
    let mut random = SplitMix64::new(5);
    for shift in 0..16 {
        for _ in 0..50 {
            let mut rows = [[0; 96]; 4];
            for number in rows.iter_mut().flatten() {
                *number = (random.next_u64() as i16) >> shift;
            }
            let [plain, avx2, avx512] = run_wide_on_each_path(Rows(&rows));
            for other in [avx2, avx512].into_iter().flatten() {
                assert_eq!(Some(other), plain);
            }
            assert_eq!(Some(super::run_wide(Rows(&rows))), plain);
        }
    }
}
