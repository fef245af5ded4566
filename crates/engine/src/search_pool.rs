//! Threads that search: each owns a searcher, and all take their jobs from one queue.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::searcher::Control;
use crate::threads::MemoryLimit;

/// Threads with a searcher each, and the queue of their jobs. A job that panics ends no thread.
///
/// When the pool is dropped, its threads end as soon as the queue is empty; [`SearchPool::join`] waits for that.
///
/// ```
/// use std::sync::mpsc::channel;
/// use tabiya_engine::{AlphaBeta, SearchPool, SearchPriority, Settings, think};
/// use tabiya_rules::MoveHistory;
/// use tabiya_uci::Go;
///
/// let pool = SearchPool::start([AlphaBeta::default(), AlphaBeta::default()])?;
/// let (sender, answers) = channel();
/// let search = pool.search(SearchPriority::Normal, move |searcher, control| {
///     let (settings, game) = (Settings::new(), MoveHistory::default());
///     let _ = sender.send(think(searcher, &settings, &game, &Go::infinite(), control, &mut |_| {}));
/// });
/// search.stop();
/// // It was stopped, but its answer is wanted as long as the handle exists.
/// assert!(answers.recv().is_ok_and(|answer| answer.best.is_some()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SearchPool<S> {
    shared: Arc<Shared<S>>,
    threads: Vec<JoinHandle<()>>,
}

/// Which of the searches in a queue come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SearchPriority {
    /// In the order of the queue.
    Normal,
    /// Before all that are normal.
    High,
}

/// A search in a [`SearchPool`]. Dropping it abandons the search: if it has begun, it is stopped, otherwise it never
/// begins.
#[derive(Debug)]
pub struct SearchHandle(Arc<Control>);

impl SearchHandle {
    /// Stops the search, which then answers.
    pub fn stop(&self) {
        self.0.stop();
    }
}

impl Drop for SearchHandle {
    fn drop(&mut self) {
        self.0.abandon();
    }
}

struct Shared<S> {
    queue: Mutex<Queue<S>>,
    /// Notified of new jobs, and of the end.
    wake: Condvar,
    /// Notified when a job is done.
    done: Condvar,
}

struct Queue<S> {
    jobs: VecDeque<Job<S>>,
    /// How many jobs are being carried out.
    busy: usize,
    closed: bool,
}

struct Job<S> {
    priority: SearchPriority,
    /// The control of a search, without which the job is not a search.
    control: Option<Arc<Control>>,
    run: Box<dyn FnOnce(&mut S) + Send>,
}

impl<S> Job<S> {
    fn is_wanted(&self) -> bool {
        let control = self.control.as_ref();
        !control.is_some_and(|control| control.is_abandoned())
    }
}

impl<S: Send + 'static> SearchPool<S> {
    /// Starts a thread for each searcher.
    ///
    /// # Errors
    /// There is no memory for a thread, or the system refuses it.
    pub fn start(searchers: impl IntoIterator<Item = S>) -> io::Result<SearchPool<S>> {
        SearchPool::spawn(searchers, |run| MemoryLimit::of_process().spawn(run))
    }

    /// Starts a thread for each searcher with a function that spawns threads.
    pub(crate) fn spawn(
        searchers: impl IntoIterator<Item = S>,
        mut spawn: impl FnMut(Box<dyn FnOnce() + Send>) -> io::Result<JoinHandle<()>>,
    ) -> io::Result<SearchPool<S>> {
        let mut pool = SearchPool {
            shared: Arc::default(),
            threads: Vec::new(),
        };
        for searcher in searchers {
            let shared = Arc::clone(&pool.shared);
            let thread = spawn(Box::new(move || shared.work(searcher)))?;
            pool.threads.push(thread);
        }
        Ok(pool)
    }

    /// Queues a search. It gets the searcher of a thread, and a control that the handle stops.
    pub fn search(
        &self,
        priority: SearchPriority,
        search: impl FnOnce(&mut S, &Control) + Send + 'static,
    ) -> SearchHandle {
        let control = Arc::new(Control::new());
        let searched = Arc::clone(&control);
        self.shared.push(Job {
            priority,
            control: Some(Arc::clone(&control)),
            run: Box::new(move |searcher| search(searcher, &searched)),
        });
        SearchHandle(control)
    }

    /// Queues anything else that needs the searcher of a thread.
    pub fn run(&self, work: impl FnOnce(&mut S) + Send + 'static) {
        self.shared.push(Job {
            priority: SearchPriority::Normal,
            control: None,
            run: Box::new(work),
        });
    }

    /// Waits at most `limit` until all jobs are done. Returns whether they are.
    pub(crate) fn wait_until_idle(&self, limit: Duration) -> bool {
        let is_busy = |queue: &mut Queue<S>| queue.busy > 0 || !queue.jobs.is_empty();
        let queue = self.shared.lock();
        let waited = self.shared.done.wait_timeout_while(queue, limit, is_busy);
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }
}

impl<S> SearchPool<S> {
    /// Waits until all jobs are done and the threads have ended. Later jobs are never carried out.
    pub fn join(&mut self) {
        self.shared.close();
        for thread in self.threads.drain(..) {
            // Panics of jobs are caught, so this is one of a searcher that was dropped.
            let _ = thread.join();
        }
    }
}

impl<S> Drop for SearchPool<S> {
    fn drop(&mut self) {
        self.shared.close();
    }
}

impl<S> fmt::Debug for SearchPool<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchPool")
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

impl<S> Default for Shared<S> {
    fn default() -> Shared<S> {
        Shared {
            queue: Mutex::new(Queue {
                jobs: VecDeque::new(),
                busy: 0,
                closed: false,
            }),
            wake: Condvar::new(),
            done: Condvar::new(),
        }
    }
}

impl<S> Shared<S> {
    fn lock(&self) -> MutexGuard<'_, Queue<S>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, job: Job<S>) {
        let mut queue = self.lock();
        // So the queue cannot become longer than the list of handles that exist.
        queue.jobs.retain(Job::is_wanted);
        let place = queue
            .jobs
            .partition_point(|queued| queued.priority >= job.priority);
        queue.jobs.insert(place, job);
        drop(queue);
        self.wake.notify_one();
    }

    fn close(&self) {
        self.lock().closed = true;
        self.wake.notify_all();
    }

    fn work(&self, mut searcher: S) {
        while let Some(job) = self.next() {
            if job.is_wanted() {
                // Whoever waits for the answer notices a panic, and the searcher is there for the next job.
                let _ = catch_unwind(AssertUnwindSafe(|| (job.run)(&mut searcher)));
            }
            self.lock().busy -= 1;
            self.done.notify_all();
        }
    }

    fn next(&self) -> Option<Job<S>> {
        let mut queue = self.lock();
        loop {
            if let Some(job) = queue.jobs.pop_front() {
                queue.busy += 1;
                return Some(job);
            }
            if queue.closed {
                return None;
            }
            let waited = self.wake.wait(queue);
            queue = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests;
