//! Proof that the rules need no standard library: a program that has none, with a panic handler
//! and an allocator of its own. Were `std` linked in after all, there would be two panic handlers,
//! and it would not build. The C library gives it `main` and the copying of memory.
//!
//! ```sh
//! cargo run --release --manifest-path conformance/no_std/Cargo.toml
//! ```
//!
//! Exit code 0: every answer is right; 1 to 4: the number of the check that failed; a signal: it
//! panicked.
#![no_std]
#![no_main]

extern crate alloc;

use core::alloc::{GlobalAlloc, Layout};
use core::cell::UnsafeCell;
use core::ffi::c_int;
use core::panic::PanicInfo;
use core::ptr;
use core::sync::atomic::{AtomicUsize, Ordering};

use tabiya_rules::{PerftTable, Position, SanError, perft, perft_hashed};

#[link(name = "c")]
unsafe extern "C" {
    safe fn abort() -> !;
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    abort()
}

/// The compiled `alloc` names this function for unwinding, which never happens here.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

/// Memory that is handed out from its start and never taken back.
struct Bump {
    memory: UnsafeCell<[u8; Bump::SIZE]>,
    used: AtomicUsize,
}

impl Bump {
    const SIZE: usize = 4 << 20;
}

// SAFETY: every byte is handed out once, because `used` only grows, and is not touched otherwise.
unsafe impl Sync for Bump {}

// SAFETY: a block lies inside the memory, is aligned as asked, and overlaps no other.
unsafe impl GlobalAlloc for Bump {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let start = self.memory.get().cast::<u8>();
        let mut used = self.used.load(Ordering::Relaxed);
        loop {
            let padding = start.wrapping_add(used).align_offset(layout.align());
            let end = padding
                .checked_add(layout.size())
                .and_then(|size| used.checked_add(size))
                .filter(|&end| end <= Bump::SIZE);
            let Some(end) = end else {
                return ptr::null_mut();
            };
            match self
                .used
                .compare_exchange(used, end, Ordering::Relaxed, Ordering::Relaxed)
            {
                Ok(_) => return start.wrapping_add(used + padding),
                Err(now) => used = now,
            }
        }
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static MEMORY: Bump = Bump {
    memory: UnsafeCell::new([0; Bump::SIZE]),
    used: AtomicUsize::new(0),
};

/// Each check needs something more than the one before: nothing, strings, lists, a large block.
fn first_wrong_answer() -> Option<c_int> {
    let start = Position::start();
    let checks = [
        start.legal_moves().len() == 20 && perft(&start, 3) == 8_902,
        start.fen() == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        matches!(start.parse_san("Nd2"), Err(SanError::Illegal { candidates, .. }) if candidates.len() == 4),
        perft_hashed(&start, 4, &PerftTable::new(1)) == 197_281,
    ];
    (1..)
        .zip(checks)
        .find(|&(_, right)| !right)
        .map(|(number, _)| number)
}

/// The entry point of C programs, which this one is to the linker.
#[unsafe(no_mangle)]
extern "C" fn main() -> c_int {
    first_wrong_answer().unwrap_or(0)
}
