//! A progress bar on stderr for runs that take long, where stderr is a terminal.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How long a run goes on before it is called long.
const PATIENCE: Duration = Duration::from_millis(700);

/// How far a run has come. Threads may share it.
#[derive(Debug)]
pub(crate) struct Progress {
    begun: Instant,
    bar: OnceLock<ProgressBar>,
}

impl Progress {
    pub(crate) fn new() -> Progress {
        Progress {
            begun: Instant::now(),
            bar: OnceLock::new(),
        }
    }

    /// Shows that so much of the work is done.
    pub(crate) fn reach(&self, done: u64, of: u64) {
        let begun = self.begun.elapsed();
        if self.bar.get().is_some() || begun >= PATIENCE {
            // The bar hides itself where stderr is no terminal.
            let bar = self
                .bar
                .get_or_init(|| ProgressBar::new(of).with_style(style()).with_elapsed(begun));
            bar.set_position(done);
        }
    }

    /// Does something that prints while the bar is out of the way.
    pub(crate) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        match self.bar.get() {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

fn style() -> ProgressStyle {
    ProgressStyle::with_template("{wide_bar} {percent}%  {elapsed} elapsed, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
}
