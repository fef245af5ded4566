//! Starting threads where memory may be short.
//!
//! A new thread takes memory of its own accord: its stack, and then what its allocator reserves for it, which may be more
//! for a moment than it keeps. Whatever another thread needs at that moment is not there, and a small allocation that
//! fails ends the process. So threads start one after another: each has what it takes before anything else goes on.

use std::fs;
use std::hint::black_box;
use std::io;
use std::sync::mpsc::channel;
use std::thread::{Builder, Scope};

/// What a thread takes: its stack, and what allocators commonly reserve for a thread.
const THREAD_MEMORY: u64 = 66 << 20;
/// What a thread cannot start without: its stack, and what belongs to it.
const STACK: u64 = 4 << 20;
/// What is left for everything else.
const RESERVE: u64 = 32 << 20;
/// What is held back until a server has all its threads: enough for the stacks of all of them, less than an allocator
/// reserves for a thread, and more than it keeps when it is freed.
const ROOM: usize = 33 << 20;
/// With less than this, a server that has all its threads needs what was held back.
pub(crate) const SCARCE: u64 = 16 << 20;

/// The memory that the process may have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemoryLimit {
    /// `None` if there is no limit, or none that can be read.
    bytes: Option<u64>,
}

impl MemoryLimit {
    /// The limit that the process has now.
    pub(crate) fn of_process() -> MemoryLimit {
        MemoryLimit {
            bytes: number_in("/proc/self/limits", "Max address space"),
        }
    }

    /// How much the process may still take; `None` if there is no limit.
    fn available(self) -> Option<u64> {
        let limit = self.bytes?;
        let used = number_in("/proc/self/status", "VmSize:").unwrap_or(0) * 1024;
        Some(limit.saturating_sub(used))
    }

    /// Is there memory for this many more threads, as far as the system says?
    pub(crate) fn allows_threads(self, count: usize) -> bool {
        let needed = THREAD_MEMORY.saturating_mul(count as u64) + RESERVE;
        self.available().is_none_or(|left| left >= needed)
    }

    /// Spawns a thread within a scope. Returns false if there is no memory for it or the system refuses it.
    pub(crate) fn spawn_scoped<'scope>(
        self,
        scope: &'scope Scope<'scope, '_>,
        run: impl FnOnce() + Send + 'scope,
    ) -> bool {
        if self.bytes.is_none() {
            return Builder::new().spawn_scoped(scope, run).is_ok();
        }
        if !self.allows_threads(1) {
            return false;
        }
        let (arrive, wait) = handshake();
        let run = move || {
            arrive();
            run();
        };
        let spawned = Builder::new().spawn_scoped(scope, run).is_ok();
        if spawned {
            wait();
        }
        spawned
    }
}

/// Drops a value that takes long to drop in a thread of its own, or here if there is none for it.
pub(crate) fn drop_in_background(value: impl Send + 'static) {
    // A thread would need memory that this is about to give back.
    if MemoryLimit::of_process().bytes.is_none() {
        // Where the system refuses the thread, the value is dropped with what it was to do.
        let _ = Builder::new().spawn(move || drop(value));
    }
}

/// The first number behind a name in a file of the system.
fn number_in(file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    rest.split_ascii_whitespace().next()?.parse().ok()
}

/// Starts the threads of a server. Where memory is limited, some is held back, so that what the first ones reserve leaves
/// the last ones something to start with.
#[derive(Debug)]
pub(crate) struct Starter {
    limit: MemoryLimit,
    /// What is held back. It is never written to.
    room: Option<Vec<u8>>,
}

impl Starter {
    /// Holds memory back until threads are short of it.
    pub(crate) fn new() -> Starter {
        let limit = MemoryLimit::of_process();
        let mut room = Vec::new();
        let held = limit.bytes.is_some() && room.try_reserve_exact(ROOM).is_ok();
        Starter {
            limit,
            room: held.then_some(room),
        }
    }

    /// Releases what is held, unless so much is left that this would only be reserved for another thread.
    pub(crate) fn give_way(&mut self, least: u64) {
        if self.limit.available().is_some_and(|left| left < least) {
            self.room = None;
        }
    }

    /// Spawns a thread, and returns when it has the memory that it takes.
    ///
    /// # Errors
    /// The system refuses the thread.
    pub(crate) fn spawn(&mut self, run: impl FnOnce() + Send + 'static) -> io::Result<()> {
        self.give_way(STACK);
        let (arrive, wait) = handshake();
        Builder::new().spawn(move || {
            arrive();
            run();
        })?;
        wait();
        Ok(())
    }
}

/// What a new thread calls first, and what waits for it.
fn handshake() -> (impl FnOnce() + Send, impl FnOnce()) {
    let (sender, receiver) = channel::<()>();
    let arrive = move || {
        // An allocator reserves memory for a thread with its first allocation.
        drop(black_box(Box::new(0_u64)));
        drop(sender);
    };
    let wait = move || {
        // It ends with an error as soon as the sender is gone, also if the thread panicked.
        let _ = receiver.recv();
    };
    (arrive, wait)
}
