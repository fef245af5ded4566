//! Threads, which the system may refuse: limits on processes (`ulimit -u`, those of a container) and on memory apply. A
//! thread that cannot be started is an error like any other, never a panic.

use std::io;
use std::sync::mpsc::channel;
use std::thread::{JoinHandle, Scope, ScopedJoinHandle};

use tabiya_engine::MemoryLimit;
use thiserror::Error;

/// The system refuses a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("no more threads can be started; a limit on processes or memory is reached")]
pub struct NoThread;

impl From<NoThread> for io::Error {
    fn from(none: NoThread) -> io::Error {
        io::Error::other(none)
    }
}

/// Starts a thread.
///
/// # Errors
/// The system refuses it.
pub fn spawn(work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, NoThread> {
    spawn_boxed(Box::new(work))
}

/// The same for all kinds of work, so that it is compiled once.
fn spawn_boxed(work: Box<dyn FnOnce() + Send>) -> Result<JoinHandle<()>, NoThread> {
    MemoryLimit::of_process().spawn(work).map_err(|_| NoThread)
}

/// Starts a thread with a value, and gives the value back if there is no thread.
fn spawn_with<T: Send + 'static>(
    value: T,
    work: impl FnOnce(T) + Send + 'static,
) -> Result<JoinHandle<()>, (T, NoThread)> {
    // The thread takes the value later; if there is no thread, it stays here.
    let (give, given) = channel();
    let spawned = spawn(move || {
        if let Ok(value) = given.recv() {
            work(value);
        }
    });
    match spawned {
        Ok(thread) => {
            drop(give.send(value));
            Ok(thread)
        }
        Err(none) => Err((value, none)),
    }
}

/// Starts a thread that ends before what it borrows.
///
/// # Errors
/// As for [`spawn`].
pub fn spawn_scoped<'scope, 'env>(
    scope: &'scope Scope<'scope, 'env>,
    work: impl FnOnce() + Send + 'scope,
) -> Result<ScopedJoinHandle<'scope, ()>, NoThread> {
    let work: Box<dyn FnOnce() + Send + 'scope> = Box::new(work);
    let spawned = MemoryLimit::of_process().spawn_scoped(scope, work);
    spawned.map_err(|_| NoThread)
}

/// Runs short work in a thread of its own, or right here if none is available.
pub fn spawn_or_run(work: impl FnOnce() + Send + 'static) {
    // Boxed, so that this is compiled once too.
    let work: Box<dyn FnOnce() + Send> = Box::new(work);
    if let Err((work, _)) = spawn_with(work, |work| work()) {
        work();
    }
}

#[cfg(test)]
mod tests;
