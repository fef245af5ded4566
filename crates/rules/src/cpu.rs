//! Chooses the fastest code for the CPU at run time; holds the only unsafe code of the crate.
//!
//! A plain x86-64 build may use neither popcnt nor BMI instructions, which would cost the generator half its speed. So
//! each hot function is a [`Task`] that is compiled once for plain CPUs and again, inside functions that enable the
//! features, for better ones. Which one runs is decided once. On other architectures, or without the feature `std`, the
//! choice compiles to nothing. Programs that count bits and look up attacks themselves, as evaluations do, can use the
//! same mechanism:
//!
//! ```
//! use tabiya_rules::cpu::{self, Sliders, Task};
//! use tabiya_rules::{Board, Color, Position, Role};
//!
//! /// How many squares White's bishops attack.
//! struct Bishops<'a>(&'a Board);
//!
//! impl Task for Bishops<'_> {
//!     type Output = u32;
//!
//!     #[inline(always)]
//!     fn run<S: Sliders>(self, sliders: S) -> u32 {
//!         let bishops = self.0.pieces(Color::White, Role::Bishop);
//!         let squares = bishops.into_iter().map(|from| sliders.bishop(from, self.0.occupied()));
//!         squares.map(|set| set.count()).sum()
//!     }
//! }
//!
//! assert_eq!(cpu::run(Bishops(Position::start().board())), 4);
//! ```
//!
//! A [`Kernel`] is the same for arithmetic over long rows of numbers, as in a neural network: plain loops that the
//! compiler turns into vector instructions as wide as the CPU has them.
#![allow(unsafe_code)]

#[cfg(all(test, target_arch = "x86_64", feature = "std"))]
mod tests;

#[allow(unused_imports, reason = "which path is used depends on the target")]
use crate::sliders::hyperbola::HyperbolaQuintessence;

pub use crate::sliders::Sliders;

/// Work that is compiled for each code path.
pub trait Task {
    /// The result.
    type Output;

    /// Does the work. Mark implementations `#[inline(always)]`, so that they are compiled with the CPU features of the
    /// calling function. What they call should be inlined too; otherwise it is correct but slower.
    fn run<S: Sliders>(self, sliders: S) -> Self::Output;
}

/// Runs a task on the best code path of this CPU.
#[inline(always)]
pub fn run<T: Task>(task: T) -> T::Output {
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    {
        x86::run(task)
    }
    #[cfg(not(all(target_arch = "x86_64", feature = "std")))]
    {
        task.run(compile_time_sliders())
    }
}

/// Arithmetic over long rows of small integers, written as plain loops and compiled for each width of vector registers.
///
/// ```
/// use tabiya_rules::cpu::{self, Kernel};
///
/// /// The sum of the products of two rows.
/// struct Dot<'a>(&'a [i16; 64], &'a [i16; 64]);
///
/// impl Kernel for Dot<'_> {
///     type Output = i32;
///
///     #[inline(always)]
///     fn run(self) -> i32 {
///         self.0.iter().zip(self.1).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum()
///     }
/// }
///
/// assert_eq!(cpu::run_wide(Dot(&[3; 64], &[-2; 64])), -384);
/// ```
pub trait Kernel {
    /// The result.
    type Output;

    /// Computes the result. Mark implementations and what they call `#[inline(always)]`, for the same reason as in a
    /// [`Task`].
    fn run(self) -> Self::Output;
}

/// Runs a kernel with the widest vector registers of this CPU: AVX-512 (F, BW and VL), AVX2, or what every CPU of the
/// architecture has. Unlike [`run`], it does not depend on how fast PEXT is.
#[inline(always)]
pub fn run_wide<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    {
        x86::run_wide(kernel)
    }
    #[cfg(not(all(target_arch = "x86_64", feature = "std")))]
    {
        kernel.run()
    }
}

/// Returns the sliders this build can use without asking the CPU: for single look-ups, where asking would cost more
/// than it gains.
#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
#[inline(always)]
pub(crate) fn compile_time_sliders() -> HyperbolaQuintessence {
    HyperbolaQuintessence
}

#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[inline(always)]
pub(crate) fn compile_time_sliders() -> x86::Pext {
    // SAFETY: the whole build may use BMI2, by the cfg above.
    unsafe { x86::Pext::new() }
}

#[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "bmi2")))]
pub(crate) mod x86 {
    use core::arch::x86_64::_pext_u64;

    use super::Sliders;
    use crate::sliders::table::{ATTACKS, BISHOP, Entry, ROOK};

    /// Sliding attacks by look-up. A value of this type proves that the CPU has BMI2.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Pext(());

    impl Pext {
        /// Creates the proof.
        ///
        /// # Safety
        /// The CPU must have BMI2.
        #[inline(always)]
        pub(crate) unsafe fn new() -> Pext {
            Pext(())
        }
    }

    impl Pext {
        #[inline(always)]
        fn look_up(self, entry: Entry, occupied: u64) -> u64 {
            // SAFETY: `self` proves that the CPU has BMI2.
            let index = unsafe { _pext_u64(occupied, entry.mask) } as usize;
            debug_assert!(entry.offset + index < ATTACKS.len());
            // SAFETY: PEXT gathers one bit for each bit of the mask. Building the entries fails to compile unless every
            // index of that many bits, added to the offset, lies in the table.
            unsafe { *ATTACKS.get_unchecked(entry.offset + index) }
        }
    }

    impl Sliders for Pext {
        #[inline(always)]
        fn rook_bits(self, square: usize, occupied: u64) -> u64 {
            self.look_up(ROOK[square & 63], occupied)
        }

        #[inline(always)]
        fn bishop_bits(self, square: usize, occupied: u64) -> u64 {
            self.look_up(BISHOP[square & 63], occupied)
        }
    }

    #[cfg(feature = "std")]
    pub(crate) use choice::run;
    #[cfg(all(test, feature = "std"))]
    pub(super) use choice::run_on_each_path;
    #[cfg(feature = "std")]
    pub(crate) use wide::run_wide;
    #[cfg(all(test, feature = "std"))]
    pub(super) use wide::run_wide_on_each_path;

    #[cfg(feature = "std")]
    mod wide {
        use core::sync::atomic::{AtomicU8, Ordering};

        use crate::cpu::Kernel;

        /// The widest registers of the CPU; 0 until detected. Every thread that detects them stores the same value.
        static WIDTH: AtomicU8 = AtomicU8::new(0);
        const PLAIN: u8 = 1;
        const AVX2: u8 = 2;
        #[cfg(has_avx512)]
        const AVX512: u8 = 3;

        #[inline(always)]
        pub(crate) fn run_wide<K: Kernel>(kernel: K) -> K::Output {
            let mut width = WIDTH.load(Ordering::Relaxed);
            if width == 0 {
                width = detect();
            }
            match width {
                // SAFETY: this width is stored only if the CPU has all the features.
                #[cfg(has_avx512)]
                AVX512 => unsafe { run_with_avx512(kernel) },
                // SAFETY: as above.
                AVX2 => unsafe { run_with_avx2(kernel) },
                _ => kernel.run(),
            }
        }

        /// Compiled only where the compiler supports AVX-512; `build.rs` finds out.
        #[cfg(has_avx512)]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,popcnt,bmi1")]
        fn run_with_avx512<K: Kernel>(kernel: K) -> K::Output {
            kernel.run()
        }

        #[target_feature(enable = "avx2,popcnt,bmi1")]
        fn run_with_avx2<K: Kernel>(kernel: K) -> K::Output {
            kernel.run()
        }

        /// Finds out which code path the CPU supports.
        #[cold]
        fn detect() -> u8 {
            let bits = is_x86_feature_detected!("popcnt") && is_x86_feature_detected!("bmi1");
            let avx2 = bits && is_x86_feature_detected!("avx2");
            let width = if avx2 { AVX2 } else { PLAIN };
            #[cfg(has_avx512)]
            let width = if avx2 && has_avx512() { AVX512 } else { width };
            WIDTH.store(width, Ordering::Relaxed);
            width
        }

        #[cfg(has_avx512)]
        fn has_avx512() -> bool {
            is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
        }

        #[cfg(test)]
        pub(in crate::cpu) fn run_wide_on_each_path<K: Kernel + Copy>(
            kernel: K,
        ) -> [Option<K::Output>; 3] {
            let width = detect();
            [
                Some(kernel.run()),
                // SAFETY: the width says that the CPU has the features.
                (width >= AVX2).then(|| unsafe { run_with_avx2(kernel) }),
                #[cfg(has_avx512)]
                // SAFETY: as above.
                (width >= AVX512).then(|| unsafe { run_with_avx512(kernel) }),
                #[cfg(not(has_avx512))]
                None,
            ]
        }
    }

    #[cfg(feature = "std")]
    mod choice {
        use core::sync::atomic::{AtomicU8, Ordering};

        use super::Pext;
        use crate::cpu::Task;
        use crate::sliders::hyperbola::HyperbolaQuintessence;

        /// What the CPU can do; 0 until detected. Every thread that detects it stores the same value.
        static LEVEL: AtomicU8 = AtomicU8::new(0);
        const PLAIN: u8 = 1;
        const BIT_COUNTING: u8 = 2;
        const FAST_PEXT: u8 = 3;

        #[inline(always)]
        pub(crate) fn run<T: Task>(task: T) -> T::Output {
            let mut level = LEVEL.load(Ordering::Relaxed);
            if level == 0 {
                level = detect();
            }
            match level {
                // SAFETY: this level is stored only if the CPU has all the features.
                FAST_PEXT => unsafe { run_with_pext(task) },
                // SAFETY: as above.
                BIT_COUNTING => unsafe { run_with_bit_counting(task) },
                _ => task.run(HyperbolaQuintessence),
            }
        }

        #[target_feature(enable = "popcnt,bmi1,bmi2,lzcnt")]
        fn run_with_pext<T: Task>(task: T) -> T::Output {
            // SAFETY: this function runs only on CPUs with BMI2.
            task.run(unsafe { Pext::new() })
        }

        #[target_feature(enable = "popcnt,bmi1,lzcnt")]
        fn run_with_bit_counting<T: Task>(task: T) -> T::Output {
            task.run(HyperbolaQuintessence)
        }

        /// Finds out which code path the CPU supports.
        #[cold]
        fn detect() -> u8 {
            let counts = is_x86_feature_detected!("popcnt")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("lzcnt");
            let level = match (counts, is_x86_feature_detected!("bmi2")) {
                (true, true) if !pext_is_slow() => FAST_PEXT,
                (true, _) => BIT_COUNTING,
                _ => PLAIN,
            };
            LEVEL.store(level, Ordering::Relaxed);
            level
        }

        #[cfg(test)]
        pub(in crate::cpu) fn run_on_each_path<T: Task + Copy>(task: T) -> [Option<T::Output>; 3] {
            let level = detect();
            [
                Some(task.run(HyperbolaQuintessence)),
                // SAFETY: the level says that the CPU has the features.
                (level >= BIT_COUNTING).then(|| unsafe { run_with_bit_counting(task) }),
                // SAFETY: as above.
                (level >= FAST_PEXT).then(|| unsafe { run_with_pext(task) }),
            ]
        }

        /// AMD CPUs before family 19h (Zen 3) run PEXT in microcode, which is slower than doing without it.
        // `__cpuid` was an unsafe function before Rust 1.94.
        #[allow(unused_unsafe)]
        fn pext_is_slow() -> bool {
            use core::arch::x86_64::__cpuid;
            // SAFETY: every CPU of this architecture has the instruction.
            let (vendor, features) = unsafe { (__cpuid(0), __cpuid(1)) };
            let amd = vendor.ebx == u32::from_le_bytes(*b"Auth")
                || vendor.ebx == u32::from_le_bytes(*b"Hygo");
            let signature = features.eax;
            let family = (signature >> 8 & 0xf) + (signature >> 20 & 0xff);
            amd && family < 0x19
        }
    }
}
