//! The worker thread: it owns the searcher and carries out jobs, one after another.
//!
//! The server never waits for it to take a job. A search that was told to stop may not get a CPU for a while, and
//! the interface must be answered in the meantime.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use tabiya_uci::Info;

use super::job::Job;
use super::output::Output;
use crate::options::Settings;
use crate::search_pool::SearchPool;
use crate::searcher::{Control, SEARCH_FAILED, Searcher};
use crate::threads::ThreadSpawner;

/// What the searcher applies before a job.
pub(super) struct Preparation {
    pub(super) settings: Settings,
    /// Whether it forgets the game so far.
    pub(super) new_game: bool,
}

pub(super) struct Worker {
    thread: SearchPool<Box<dyn Searcher>>,
    output: Output,
}

impl Worker {
    pub(super) fn start(
        searcher: Box<dyn Searcher>,
        output: Output,
        spawner: &mut ThreadSpawner,
    ) -> io::Result<Worker> {
        let thread = SearchPool::spawn([searcher], |run| spawner.spawn(run))?;
        Ok(Worker { thread, output })
    }

    /// Queues a preparation and a job, which begin when those before are done.
    pub(super) fn start_job(&self, preparation: Preparation, job: Job, control: Arc<Control>) {
        self.queue_preparation(preparation);
        self.queue(move |searcher, output| job.run(searcher, &control, output));
    }

    /// Prepares the searcher, and returns when that is done.
    pub(super) fn prepare(&self, preparation: Preparation) {
        self.queue_preparation(preparation);
        while !self.wait_until_idle(Duration::from_secs(1)) {}
    }

    /// Waits up to `limit` until everything is done; returns whether it is.
    pub(super) fn wait_until_idle(&self, limit: Duration) -> bool {
        self.thread.wait_until_idle(limit)
    }

    fn queue_preparation(&self, preparation: Preparation) {
        self.queue(move |searcher, output| {
            if let Some(problem) = searcher.configure(&preparation.settings) {
                output.line(Info::message(problem));
            }
            if preparation.new_game {
                searcher.new_game();
            }
        });
    }

    /// Queues work. If it panics, the interface is told; whatever is queued behind it is carried out.
    fn queue(&self, work: impl FnOnce(&mut dyn Searcher, &Output) + Send + 'static) {
        let output = self.output.clone();
        self.thread.run(move |searcher| {
            let work = AssertUnwindSafe(|| work(searcher.as_mut(), &output));
            if catch_unwind(work).is_err() {
                output.line(Info::message(SEARCH_FAILED));
            }
        });
    }
}
