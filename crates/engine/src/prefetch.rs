//! A hint to the CPU that memory will be needed soon, and the only unsafe code of the crate.
//!
//! The table of positions is larger than any cache, and where a position is in it is known as soon as the move is played;
//! what is done until the table is asked hides a part of the wait for memory.
#![allow(unsafe_code)]

/// Asks for the cache line that a value begins on. Nothing but time depends on it; where there is no such instruction,
/// nothing happens.
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
