//! The threads that read and write files for all games, so that no game waits for the disk of another.
//!
//! The first of them starts with the server. More start only while there is more to do, and only if the system allows it. The
//! runtime's own threads for such work all start late: if it gets none, it panics, or the work waits forever.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use tabiya_play::threads::{self, NoThread};
use tokio::sync::oneshot;

/// The largest number of threads. Most of the time they wait for the disk.
const MAX_THREADS: usize = 64;

type Job = Box<dyn FnOnce() + Send>;

/// The threads. They end when the last clone is dropped and everything is done.
#[derive(Clone)]
pub(crate) struct DiskThreads(Arc<Owner>);

struct Owner(Arc<Shared>);

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    wake: Condvar,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    threads: usize,
    idle: usize,
    closed: bool,
}

impl DiskThreads {
    /// Starts the first thread.
    pub(crate) fn start() -> Result<DiskThreads, NoThread> {
        let shared = Arc::<Shared>::default();
        shared.lock().threads = 1;
        let works = Arc::clone(&shared);
        threads::spawn(move || works.work())?;
        Ok(DiskThreads(Arc::new(Owner(shared))))
    }

    /// Does something in one of the threads. Returns `None` if it panics.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let (done, result) = oneshot::channel();
        self.push(Box::new(move || {
            // Nobody waits for it any more if the server ends.
            let _ = done.send(work());
        }));
        result.await.ok()
    }

    fn push(&self, job: Job) {
        let shared = &self.0.0;
        let mut queue = shared.lock();
        queue.jobs.push_back(job);
        let more = queue.jobs.len() > queue.idle && queue.threads < MAX_THREADS;
        queue.threads += usize::from(more);
        drop(queue);
        shared.wake.notify_one();
        let works = Arc::clone(shared);
        if more && threads::spawn(move || works.work()).is_err() {
            // Those that are there do it.
            shared.lock().threads -= 1;
        }
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.wake.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        while let Some(job) = self.next() {
            // Whoever waits for a job that panics is told. The thread stays, because there may never be another.
            let _ = catch_unwind(AssertUnwindSafe(job));
        }
    }

    fn next(&self) -> Option<Job> {
        let mut queue = self.lock();
        loop {
            if let Some(job) = queue.jobs.pop_front() {
                return Some(job);
            }
            if queue.closed {
                return None;
            }
            queue.idle += 1;
            let waited = self.wake.wait(queue);
            queue = waited.unwrap_or_else(PoisonError::into_inner);
            queue.idle -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_done_and_a_panic_ends_no_thread() {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let threads = DiskThreads::start().expect("a thread");
        runtime.expect("a runtime").block_on(async {
            for round in 0..2 * MAX_THREADS {
                assert_eq!(threads.run(|| panic!("on purpose")).await, None::<()>);
                assert_eq!(threads.run(move || round).await, Some(round));
            }
            // Many at once.
            let (threads, count) = (&threads, 10 * MAX_THREADS);
            let all: Vec<_> = (0..count)
                .map(|number| Box::pin(threads.run(move || number)))
                .collect();
            for (number, one) in all.into_iter().enumerate() {
                assert_eq!(one.await, Some(number));
            }
        });
        assert!(threads.0.0.lock().threads <= MAX_THREADS);
    }
}
