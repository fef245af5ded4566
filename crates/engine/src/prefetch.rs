//! A prefetch hint to the CPU, and the only unsafe code of the crate.
//!
//! The transposition table is larger than any cache, and the bucket of a position is known as soon as the move is made;
//! the work until the table is probed hides a part of the memory latency.
#![allow(unsafe_code)]

/// Prefetches the cache line that a value begins on. It only affects speed, and does nothing where there is no such
/// instruction.
#[inline]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

        let address = std::ptr::from_ref(value).cast();
        // SAFETY: every CPU of this architecture has the instruction (SSE), and it reads and writes nothing that the
        // program could see, whatever the address; this one is that of a live value.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
