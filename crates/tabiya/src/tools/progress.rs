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
    measure: Measure,
}

/// What the work is measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Measure {
    /// Something that means nothing to a reader.
    Share,
    /// Bytes, whose rate is shown.
    Bytes,
}

impl Progress {
    pub(crate) fn new() -> Progress {
        Progress::measured_in(Measure::Share)
    }

    /// For runs that read files.
    pub(crate) fn of_bytes() -> Progress {
        Progress::measured_in(Measure::Bytes)
    }

    fn measured_in(measure: Measure) -> Progress {
        Progress {
            begun: Instant::now(),
            bar: OnceLock::new(),
            measure,
        }
    }

    /// Shows that so much of the work is done.
    pub(crate) fn reach(&self, done: u64, of: u64) {
        self.reach_of(done, Some(of));
    }

    /// The same where it may be unknown how much work there is.
    pub(crate) fn reach_of(&self, done: u64, of: Option<u64>) {
        let begun = self.begun.elapsed();
        if self.bar.get().is_some() || begun >= PATIENCE {
            // The bar hides itself where stderr is no terminal.
            let bar = self.bar.get_or_init(|| {
                let bar = of.map_or_else(ProgressBar::no_length, ProgressBar::new);
                bar.with_style(style(self.measure, of.is_some()))
                    .with_elapsed(begun)
            });
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

fn style(measure: Measure, ends: bool) -> ProgressStyle {
    let template = match (measure, ends) {
        (Measure::Share, _) => "{wide_bar} {percent}%  {elapsed} elapsed, {eta} left",
        (Measure::Bytes, true) => "{wide_bar} {percent}%  {bytes_per_sec}, {eta} left",
        (Measure::Bytes, false) => "{spinner} {bytes} read  {bytes_per_sec}, {elapsed} elapsed",
    };
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
