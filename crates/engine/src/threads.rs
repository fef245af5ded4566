//! Starting threads where memory may be short.
//!
//! A new thread needs memory before it runs any of our code: its stack, and what the allocator reserves for it, at first
//! perhaps more than it keeps. If another thread allocates at that moment, even a small allocation can fail, and that
//! aborts the process. So threads start one at a time, and each has its memory before the next one starts.

use std::fs;
use std::hint::black_box;
use std::io;
use std::sync::mpsc::channel;
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle};

/// The memory of a thread: its stack, and what allocators commonly reserve for a thread.
const THREAD_MEMORY: u64 = 66 << 20;
/// What a thread cannot start without: its stack, and the data that belongs to it.
const STACK: u64 = 4 << 20;
/// Memory left for everything else.
const SPARE_MEMORY: u64 = 32 << 20;
/// Memory held back until a server has all its threads: enough for the stacks of all of them, less than an allocator
/// reserves for a thread, and more than it keeps when it is freed.
const HELD_RESERVE: usize = 33 << 20;
/// With less than this left, a server that has all its threads needs the reserve.
pub(crate) const LOW_MEMORY: u64 = 16 << 20;

/// The memory that the process may have, which `ulimit -v` limits.
#[derive(Clone, Copy, Debug)]
pub struct MemoryLimit {
    /// `None` if there is no limit, or none that can be read.
    bytes: Option<u64>,
}

impl MemoryLimit {
    /// The limit that the process has now.
    #[must_use]
    pub fn of_process() -> MemoryLimit {
        MemoryLimit {
            bytes: number_in("/proc/self/limits", "Max address space"),
        }
    }

    /// How much the process may still take; `None` if there is no limit.
    #[must_use]
    pub fn available(self) -> Option<u64> {
        let limit = self.bytes?;
        let used = number_in("/proc/self/status", "VmSize:").unwrap_or(0) * 1024;
        Some(limit.saturating_sub(used))
    }

    /// Is there memory for this many more threads, as far as the system says?
    #[must_use]
    pub fn allows_threads(self, count: usize) -> bool {
        let needed = THREAD_MEMORY.saturating_mul(count as u64) + SPARE_MEMORY;
        self.available().is_none_or(|left| left >= needed)
    }

    /// Spawns a thread, and where memory is limited returns when the thread has its own.
    ///
    /// # Errors
    /// There is no memory for it, or the system refuses it.
    pub fn spawn(self, run: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
        self.start(run, |run| Builder::new().spawn(run))
    }

    /// The same for a thread within a scope.
    ///
    /// # Errors
    /// There is no memory for it, or the system refuses it.
    pub fn spawn_scoped<'scope>(
        self,
        scope: &'scope Scope<'scope, '_>,
        run: impl FnOnce() + Send + 'scope,
    ) -> io::Result<ScopedJoinHandle<'scope, ()>> {
        self.start(run, |run| Builder::new().spawn_scoped(scope, run))
    }

    fn start<'scope, T>(
        self,
        run: impl FnOnce() + Send + 'scope,
        spawn: impl FnOnce(Box<dyn FnOnce() + Send + 'scope>) -> io::Result<T>,
    ) -> io::Result<T> {
        if self.bytes.is_none() {
            return spawn(Box::new(run));
        }
        if !self.allows_threads(1) {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        let (signal, wait) = handshake();
        let thread = spawn(Box::new(move || {
            signal();
            run();
        }))?;
        wait();
        Ok(thread)
    }
}

/// Drops a value that takes long to drop in a thread of its own, or here if there is none for it.
pub(crate) fn drop_in_background(value: impl Send + 'static) {
    // A thread would need memory that this is about to give back.
    if MemoryLimit::of_process().bytes.is_none() {
        // If the system refuses the thread, the closure is dropped here, and the value with it.
        let _ = Builder::new().spawn(move || drop(value));
    }
}

/// The first number behind a name in a file of the system.
fn number_in(file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    rest.split_ascii_whitespace().next()?.parse().ok()
}

/// Spawns the threads of a server. Where memory is limited, it holds a reserve, so that the first threads leave the last
/// ones enough to start with.
#[derive(Debug)]
pub(crate) struct ThreadSpawner {
    limit: MemoryLimit,
    /// It is never written to.
    reserve: Option<Vec<u8>>,
}

impl ThreadSpawner {
    /// Holds the reserve, where memory is limited.
    pub(crate) fn new() -> ThreadSpawner {
        let limit = MemoryLimit::of_process();
        let mut reserve = Vec::new();
        let held = limit.bytes.is_some() && reserve.try_reserve_exact(HELD_RESERVE).is_ok();
        ThreadSpawner {
            limit,
            reserve: held.then_some(reserve),
        }
    }

    /// Releases the reserve if less than `least` is left. With more left, the allocator would only reserve it for another
    /// thread.
    pub(crate) fn release_reserve_below(&mut self, least: u64) {
        if self.limit.available().is_some_and(|left| left < least) {
            self.reserve = None;
        }
    }

    /// Spawns a thread, and returns when it has its memory.
    ///
    /// # Errors
    /// The system refuses the thread.
    pub(crate) fn spawn(
        &mut self,
        run: impl FnOnce() + Send + 'static,
    ) -> io::Result<JoinHandle<()>> {
        self.release_reserve_below(STACK);
        let (signal, wait) = handshake();
        let thread = Builder::new().spawn(move || {
            signal();
            run();
        })?;
        wait();
        Ok(thread)
    }
}

/// What a new thread calls first, and what waits for it.
fn handshake() -> (impl FnOnce() + Send, impl FnOnce()) {
    let (sender, receiver) = channel::<()>();
    let signal = move || {
        // An allocator reserves memory for a thread with its first allocation.
        drop(black_box(Box::new(0_u64)));
        drop(sender);
    };
    let wait = move || {
        // It ends with an error as soon as the sender is gone, also if the thread panicked.
        let _ = receiver.recv();
    };
    (signal, wait)
}
