//! The worker thread: it owns the searcher and carries out jobs, one after another.
//!
//! The server never waits for it to take a job. A search that was told to stop may not get a CPU for a while, and
//! the interface must be answered in the meantime.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use tabiya_uci::Info;

use super::job::Job;
use super::output::Output;
use crate::options::Settings;
use crate::searcher::{Control, Searcher};
use crate::threads::ThreadSpawner;

/// What the searcher applies before a job.
pub(super) struct Preparation {
    pub(super) settings: Settings,
    /// Whether it forgets the game so far.
    pub(super) new_game: bool,
}

/// A preparation and the job after it, if any.
struct WorkItem {
    preparation: Preparation,
    job: Option<(Job, Arc<Control>)>,
}

pub(super) struct Worker {
    work: Sender<WorkItem>,
    /// One for each work item that is done.
    done: Receiver<()>,
    /// Work items sent and not yet seen to be done.
    pending: usize,
}

impl Worker {
    /// Starts the thread.
    pub(super) fn start(
        mut searcher: Box<dyn Searcher>,
        output: Output,
        spawner: &mut ThreadSpawner,
    ) -> io::Result<Worker> {
        let (work, inbox) = channel::<WorkItem>();
        let (outbox, done) = channel();
        spawner.spawn(move || {
            for item in inbox {
                carry_out(item, searcher.as_mut(), &output);
                if outbox.send(()).is_err() {
                    break;
                }
            }
        })?;
        Ok(Worker {
            work,
            done,
            pending: 0,
        })
    }

    /// Queues a job, which begins when those before are done.
    pub(super) fn start_job(&mut self, preparation: Preparation, job: Job, control: Arc<Control>) {
        self.send(preparation, Some((job, control)));
    }

    /// Prepares the searcher, and returns when that is done.
    pub(super) fn prepare(&mut self, preparation: Preparation) {
        self.send(preparation, None);
        while self.pending > 0 && self.done.recv().is_ok() {
            self.pending -= 1;
        }
    }

    /// Queues a preparation, and a job after it.
    fn send(&mut self, preparation: Preparation, job: Option<(Job, Arc<Control>)>) {
        // The thread only ends when this side is gone.
        if self.work.send(WorkItem { preparation, job }).is_ok() {
            self.pending += 1;
        }
    }

    /// Waits up to `limit` until everything is done; returns whether it is.
    pub(super) fn wait_until_idle(&mut self, limit: Duration) -> bool {
        let end = Instant::now() + limit;
        while self.pending > 0 {
            let left = end.saturating_duration_since(Instant::now());
            if self.done.recv_timeout(left).is_err() {
                return false;
            }
            self.pending -= 1;
        }
        true
    }
}

/// Prepares the searcher, and carries out the job.
fn carry_out(item: WorkItem, searcher: &mut dyn Searcher, output: &Output) {
    // Whatever panics, each search sends its move and the next item is carried out.
    let prepared = catch_unwind(AssertUnwindSafe(|| {
        if let Some(problem) = searcher.configure(&item.preparation.settings) {
            output.line(Info::message(problem));
        }
        if item.preparation.new_game {
            searcher.new_game();
        }
    }));
    let worked = catch_unwind(AssertUnwindSafe(|| {
        if let Some((job, control)) = item.job {
            job.run(searcher, &control, output);
        }
    }));
    if prepared.and(worked).is_err() {
        output.line(Info::message("the search failed"));
    }
}
