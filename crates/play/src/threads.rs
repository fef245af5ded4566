//! Threads, which the system may refuse: a limit on processes (`ulimit -u`, that of a container) or on memory counts them.
//! A thread that cannot be had is an error like any other, and never a panic.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle};

/// Starts a thread.
///
/// # Errors
/// The system refuses it; the words say so.
pub fn spawn(work: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    Builder::new().spawn(work).map_err(|error| refused(&error))
}

/// Starts a thread that ends before what it borrows.
///
/// # Errors
/// As for [`spawn`].
pub fn spawn_scoped<'scope, 'env>(
    scope: &'scope Scope<'scope, 'env>,
    work: impl FnOnce() + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, ()>> {
    Builder::new()
        .spawn_scoped(scope, work)
        .map_err(|error| refused(&error))
}

/// Does something in a thread of its own, or where there is none to be had, at once. For short work.
pub fn spawn_or_run(work: impl FnOnce() + Send + 'static) {
    let work = Arc::new(Mutex::new(Some(work)));
    let take = |work: &Mutex<Option<_>>| work.lock().unwrap_or_else(PoisonError::into_inner).take();
    let shared = Arc::clone(&work);
    let spawned = spawn(move || {
        if let Some(work) = take(&shared) {
            work();
        }
    });
    if spawned.is_err()
        && let Some(work) = take(&work)
    {
        work();
    }
}

fn refused(error: &io::Error) -> io::Error {
    io::Error::new(
        error.kind(),
        "no more threads can be started; a limit on processes or memory is reached",
    )
}

#[cfg(test)]
mod tests {
    //! What is to be done is done, and once.

    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn the_work_is_done_once() {
        let (sender, receiver) = channel();
        spawn_or_run(move || sender.send(1).expect("somebody listens"));
        assert_eq!(receiver.iter().collect::<Vec<_>>(), [1]);
    }
}
