//! Every code path this CPU can take gives the same answers.

use super::x86::run_on_each_path;
use super::{Sliders, Task};
use crate::SplitMix64;

/// What sliders attack and how many squares that is, mixed over all squares of some boards.
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
